// What another user may not touch. Run as root, the program gives up root's rights first.
#include <sys/stat.h>

#include "integration/cli/workplace.h"

namespace recmeter::test {
namespace {

class Permissions : public Workplace {
 protected:
  void refused(const std::string& arguments, int code, const std::vector<std::string>& parts) const {
    Call made = call(arguments);
    made.as_nobody = true;
    const auto before = everything();
    const Ended ended = test::run(made);
    if (ended.code == Program::no_such_rights) GTEST_SKIP() << "root's rights cannot be given up here";
    EXPECT_EQ(ended.code, code) << ended.err;
    expect_says(ended, parts);
    expect_clean_messages(ended.err);
    EXPECT_EQ(everything(), before);
  }
  void allow(const char* name, mode_t mode) const { ASSERT_EQ(::chmod(scratch().path(name).c_str(), mode), 0); }
};

TEST_F(Permissions, an_unreadable_input_is_told) {
  allow("good.jsonl", 0200);
  refused("replay good.jsonl", 1, {"Permission denied", "make it readable (chmod +r)", "good.jsonl"});
}

TEST_F(Permissions, an_unreadable_configuration_is_told) {
  scratch().put("secret.yaml", "threads: 1\n");
  allow("secret.yaml", 0200);
  refused("replay -c secret.yaml good.jsonl", 2, {"secret.yaml:1:1: cannot be read", "that you may read"});
}

TEST_F(Permissions, a_directory_that_takes_no_output_is_told) {
  allow("", 0555);
  refused("replay good.jsonl -o rows", 1, {"Permission denied", "write to a directory you may write to", "rows"});
  allow("", 0755);
}

TEST_F(Permissions, a_write_protected_output_is_told) {
  allow("old.jsonl", 0444);
  refused("replay good.jsonl -o old.jsonl", 1, {"write-protected; remove it or write elsewhere", "old.jsonl"});
}

}  // namespace
}  // namespace recmeter::test
