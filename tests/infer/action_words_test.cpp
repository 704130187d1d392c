// Words of logs for what was done, by hand.
#include "app/infer/action_words.h"

#include <gtest/gtest.h>

#include <string>

namespace recmeter::test {
namespace {

using Sense = ActionWord::Sense;

std::string meaning(std::string_view word) {
  const ActionWord action = action_word(word);
  const char* sense = action.sense == Sense::done       ? "done"
                      : action.sense == Sense::seen     ? "seen"
                      : action.sense == Sense::rejected ? "rejected"
                                                        : "unknown";
  return action.action + " " + std::to_string(action.gain) + " " + sense;
}

TEST(ActionWords, are_known_in_each_form_and_spelling) {
  for (const char* word : {"click", "Clicked", "item_click", "Product Clicked", "clickout item", "productclicked",
                           "itemClick", "TAPPED", "select_item", "open", "card tap"}) {
    EXPECT_EQ(meaning(word), "click 1 done") << word;
  }
  for (const char* word : {"add_to_cart", "addtocart", "AddToCart", "Product Added to Basket", "cart click"}) {
    EXPECT_EQ(meaning(word), "cart 2 done") << word;
  }
  for (const char* word : {"purchase", "Order Completed", "bought", "transaction", "checkout", "buying"}) {
    EXPECT_EQ(meaning(word), "purchase 3 done") << word;
  }
  EXPECT_EQ(meaning("liked"), "like 1 done");
  EXPECT_EQ(meaning("thumbs_up"), "like 1 done");
  EXPECT_EQ(meaning("video_play"), "play 1 done");
  EXPECT_EQ(meaning("rated"), "rating 1 done");
}

TEST(ActionWords, are_known_in_other_languages) {
  for (const char* word : {"geklickt", "Ist_angeklickt", "Klicks", "clic", "geklikt"})
    EXPECT_EQ(meaning(word), "click 1 done") << word;
  for (const char* word : {"Gekauft", "bestellung", "achat", "comprado"}) EXPECT_EQ(meaning(word), "purchase 3 done") << word;
  EXPECT_EQ(meaning("Warenkorb"), "cart 2 done");
}

TEST(ActionWords, that_want_less_or_take_back_have_no_gain) {
  for (const char* word : {"dislike", "disliked", "skip", "skipped", "hide", "report", "unlike", "return", "remove_from_cart",
                           "cancel_order", "not_interested", "thumbs_down", "show less", "refunded"}) {
    EXPECT_EQ(action_word(word).sense, Sense::rejected) << word;
    EXPECT_EQ(action_word(word).gain, 0) << word;
  }
  EXPECT_EQ(action_word("dislike").action, "dislike");
  EXPECT_EQ(action_word("Not Interested").action, "not_interested");
}

TEST(ActionWords, that_only_say_that_an_item_was_seen_have_no_gain) {
  for (const char* word : {"view", "view_item", "Product Viewed", "impression", "seen", "hovered", "displayed"}) {
    EXPECT_EQ(meaning(word), "view 0 seen") << word;
  }
}

TEST(ActionWords, are_unknown_where_a_known_one_is_a_part_of_them_only) {
  for (const char* word :
       {"5.1.0", "DE", "ios", "clickbait", "likelihood", "reader", "overview", "evt17", "bordered", "notes"}) {
    EXPECT_EQ(action_word(word).sense, Sense::unknown) << word;
  }
  EXPECT_EQ(action_word("5.1.0").action, "action_5_1_0");
  EXPECT_EQ(action_word("").action, "action_");
}

}  // namespace
}  // namespace recmeter::test
