"""The lists and actions of the tutorial's shop as the logs of docs/recipes.md, each as its tool writes it."""

import csv
import json
import random
import time

HORIZON = 30 * 60


def seconds(text):
    return int(time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))) - time.timezone


def utc(at, form="%Y-%m-%dT%H:%M:%SZ"):
    return time.strftime(form, time.gmtime(at))


def lines(events):
    return "".join(json.dumps(event, separators=(",", ":")) + "\n" for _, event in sorted(events, key=lambda one: one[0]))


class Shop:
    """Of the tutorial. `acts`: by list, the actions for which it is the newest list of their visitor with the product."""

    def __init__(self, folder):
        with open(folder / "shown.csv") as shown, open(folder / "actions.csv") as actions:
            self.lists, self.actions = list(csv.DictReader(shown)), list(csv.DictReader(actions))
        of_visitor = {}
        for one in self.lists:
            one["at"], one["items"] = seconds(one["shown_at"]), one["products"].split("|")
            of_visitor.setdefault(one["visitor"], []).append(one)
        self.acts = {one["search"]: [] for one in self.lists}
        for one in self.actions:
            one["ts"] = seconds(one["at"])
            of_one = of_visitor.get(one["visitor"], [])
            one["list"] = next((shown for shown in reversed(of_one) if shown["at"] <= one["ts"] < shown["at"] + HORIZON
                                and one["product"] in shown["items"]), None)
            if one["list"]:
                self.acts[one["list"]["search"]].append(one)

    def flags(self, shown, action="click"):
        done = {one["product"] for one in self.acts[shown["search"]] if one["action"] == action}
        return [1 if item in done else 0 for item in shown["items"]]


def ga4(shop):
    def event(at, user, name, items, variant, **more):
        params = [{"key": "ga_session_id", "value": {"int_value": "1772442000"}}]
        if variant:
            params.append({"key": "ranker", "value": {"string_value": variant}})
        return at, {"event_timestamp": str(at * 1_000_000), "event_name": name, "event_params": params,
                    "user_pseudo_id": user, "items": items, **more}

    events = []
    for one in shop.lists:
        items = [{"item_id": item, "item_list_id": one["search"], "item_list_index": str(place)}
                 for place, item in enumerate(one["items"], 1)]
        events.append(event(one["at"], one["visitor"], "view_item_list", items, one["ranker"]))
    for number, one in enumerate(shop.actions):
        name = "select_item" if one["action"] == "click" else "purchase"
        more = {"ecommerce": {"transaction_id": f"T{number}"}} if name == "purchase" else {}
        events.append(event(one["ts"], one["visitor"], name, [{"item_id": one["product"]}], None, **more))
    return {"ga4.jsonl": lines(events)}


def segment(shop):
    def event(at, user, number, name, properties):
        return at, {"type": "track", "event": name, "anonymousId": user, "timestamp": utc(at), "originalTimestamp": utc(at),
                    "messageId": number, "context": {"library": {"name": "analytics.js"}}, "properties": properties}

    events = []
    for one in shop.lists:
        products = [{"product_id": item, "position": place} for place, item in enumerate(one["items"], 1)]
        events.append(event(one["at"], one["visitor"], one["search"], "Product List Viewed",
                            {"list_id": one["search"], "category": "search", "ranker": one["ranker"], "products": products}))
    for number, one in enumerate(shop.actions):
        product = {"product_id": one["product"]}
        if one["action"] == "click":
            events.append(event(one["ts"], one["visitor"], f"m{number}", "Product Clicked", product))
        else:
            events.append(event(one["ts"], one["visitor"], f"m{number}", "Order Completed",
                                {"order_id": f"O{number}", "products": [product]}))
    return {"segment.jsonl": lines(events)}


def ubi(shop):
    queries = [(one["at"], {"query_id": one["search"], "client_id": one["visitor"], "timestamp": utc(one["at"]),
                            "user_query": "lamp", "query_response_hit_ids": one["items"],
                            "query_attributes": {"ranker": one["ranker"]}}) for one in shop.lists]
    events = [(one["ts"], {"action_name": "click" if one["action"] == "click" else "purchase", "client_id": one["visitor"],
                           "query_id": one["list"]["search"], "timestamp": utc(one["ts"]),
                           "event_attributes": {"object": {"object_id": one["product"]},
                                                "position": {"ordinal": one["list"]["items"].index(one["product"]) + 1}}})
              for one in shop.actions if one["list"]]
    return {"queries.jsonl": lines(queries), "events.jsonl": lines(events)}


def mind(shop):
    """Without a header; the ranker behind the columns of MIND."""
    return {"behaviors.tsv": "".join(
        "\t".join([one["search"], one["visitor"], utc(one["at"] + 20 * 86400, "%m/%d/%Y %I:%M:%S %p"), "p001 p002",
                   " ".join(f"{item}-{flag}" for item, flag in zip(one["items"], shop.flags(one))), one["ranker"]]) + "\n"
        for one in shop.lists)}


def kafka(shop):
    """Topics by `kcat -J`."""
    def dump(topic, events):
        return "".join(json.dumps({"topic": topic, "partition": 0, "offset": offset, "tstype": "create", "ts": at * 1000 + 25,
                                   "broker": 1, "key": event["user_id"], "payload": json.dumps(event)}) + "\n"
                       for offset, (at, event) in enumerate(sorted(events, key=lambda one: one[0])))

    shown = [(one["at"], {"event_time": one["at"] * 1000, "user_id": one["visitor"], "request_id": one["search"],
                          "ranker": one["ranker"], "items": one["items"]}) for one in shop.lists]
    done = [(one["ts"], {"event_time": one["ts"] * 1000, "user_id": one["visitor"], "item_id": one["product"],
                         "action": one["action"]}) for one in shop.actions]
    return {"impressions.json": dump("reco.impressions", shown), "clicks.json": dump("reco.clicks", done)}


def pandas(shop):
    """DataFrame.to_csv(): the index in front, lists as Python prints them."""
    shown = ",shown_at,user_id,items,ranker\n" + "".join(
        f'{row},{utc(one["at"], "%Y-%m-%d %H:%M:%S+00:00")},{one["visitor"]},"{one["items"]}",{one["ranker"]}\n'
        for row, one in enumerate(shop.lists))
    done = ",at,user_id,item_id,event\n" + "".join(
        f'{row},{utc(one["ts"], "%Y-%m-%d %H:%M:%S+00:00")},{one["visitor"]},{one["product"]},{one["action"]}\n'
        for row, one in enumerate(shop.actions))
    return {"lists_df.csv": shown, "actions_df.csv": done}


def labels(shop):
    """As DuckDB makes JSON lines of Parquet that Python wrote: a list of labels beside that of the items."""
    return {"labelled.jsonl": lines((one["at"], {"shown_at": utc(one["at"], "%Y-%m-%d %H:%M:%S"), "user_id": one["visitor"],
                                              "request_id": one["search"], "items": one["items"], "clicked": shop.flags(one),
                                              "ranker": one["ranker"]}) for one in shop.lists)}


def german(shop):
    """Of Excel: a row an item, semicolons, decimal commas, and words in German."""
    rows = "Zeitstempel;Anfrage;Kunde;Artikel;Platz;Preis;Geklickt;Gekauft;Gruppe\n"
    for one in shop.lists:
        clicked, bought = shop.flags(one), shop.flags(one, "order")
        for place, item in enumerate(one["items"], 1):
            rows += (f'{utc(one["at"])};{one["search"]};{one["visitor"]};{item};{place};{int(item[1:]) % 90 + 5},90;'
                     f'{"ja" if clicked[place - 1] else "nein"};{"ja" if bought[place - 1] else "nein"};'
                     f'{"neu" if one["ranker"] == "new" else "alt"}\n')
    return {"empfehlungen.csv": "sep=;\n" + rows}


def app(shop):
    """One file of an app's events, nested."""
    def event(at, name, visitor, **more):
        return at, {"event": {"name": name, "time": at * 1000}, "user": {"id": visitor, "country": "DE"}, **more}

    events = [event(one["at"], "feed_shown", one["visitor"], feed={"id": one["search"], "ranker": one["ranker"],
                                                                  "cards": [{"item": {"id": item}} for item in one["items"]]})
              for one in shop.lists]
    events += [event(one["ts"], "card_clicked" if one["action"] == "click" else "item_purchased", one["visitor"],
                     card={"item_id": one["product"]}) for one in shop.actions]
    return {"app.jsonl": lines(events)}


def rag(shop):
    """Answers with the documents that were found and those that were cited; a thumb is on the answer."""
    random_thumbs = random.Random(7)
    answers, thumbs = [], []
    for one in shop.lists:
        cited = [item for item, flag in zip(one["items"], shop.flags(one)) if flag]
        answers.append((one["at"], {"time": utc(one["at"]), "answer_id": one["search"], "user_id": one["visitor"],
                                    "retriever": one["ranker"], "retrieved": one["items"], "cited": cited}))
        if random_thumbs.random() < 0.3:
            at = one["at"] + random_thumbs.randrange(5, 200)
            thumb = "thumbs_up" if cited else "thumbs_down"
            thumbs.append((at, {"time": utc(at), "answer_id": one["search"], "user_id": one["visitor"], "feedback": thumb}))
    return {"answers.jsonl": lines(answers), "thumbs.jsonl": lines(thumbs)}


def scroll(shop):
    """A card is logged when it comes into view, 4 s after the one before."""
    events = []
    for one in shop.lists:
        for place, item in enumerate(one["items"]):
            at = one["at"] + 4 * place
            events.append((at, {"time": at * 1000, "event": "card_view", "user_id": one["visitor"], "feed_id": one["search"],
                                "item_id": item, "position": place, "ranker": one["ranker"]}))
    for one in shop.actions:
        if one["list"]:
            at = one["ts"] + 20
            events.append((at, {"time": at * 1000, "event": "card_" + one["action"], "user_id": one["visitor"],
                                "feed_id": one["list"]["search"], "item_id": one["product"]}))
    return {"scroll.jsonl": lines(events)}


def mail(shop):
    """A mailing each day; opens and clicks come hours and days later."""
    rng = random.Random(11)
    sent, events = [], []
    for number, one in enumerate(shop.lists):
        day = one["at"] + 86400 * (number % 5)
        sent.append(f'{utc(day)},{one["search"]},{one["visitor"]},{one["products"]},{one["ranker"]}\n')
        delay = int(rng.expovariate(1 / 40000)) + 60
        if rng.random() < 0.4 or shop.acts[one["search"]]:
            events.append((day + delay, one, "open", ""))
        for act in shop.acts[one["search"]]:
            events.append((day + delay + 30 + act["ts"] - one["at"], one, act["action"], act["product"]))
    log = "time,mail_id,recipient,event,product\n" + "".join(
        f'{utc(at)},{one["search"]},{one["visitor"]},{event},{product}\n'
        for at, one, event, product in sorted(events, key=lambda each: each[0]))
    return {"sent.csv": "sent_at,mail_id,recipient,products,subject_test\n" + "".join(sorted(sent)), "mail_events.csv": log}


def avro(shop):
    def number(value):
        value = (value << 1) ^ (value >> 63)
        out = b""
        while value >= 0x80:
            out += bytes([value & 0x7F | 0x80])
            value >>= 7
        return out + bytes([value])

    def text(value):
        return number(len(value.encode())) + value.encode()

    def file(schema, records):
        sync = bytes(range(16))
        header = b"Obj\x01" + number(2) + text("avro.codec") + text("null") + text("avro.schema") + text(json.dumps(schema))
        out = header + number(0) + sync
        for first in range(0, len(records), 200):
            block = b"".join(records[first:first + 200])
            out += number(len(records[first:first + 200])) + number(len(block)) + block + sync
        return out

    def record(name, fields):
        return {"type": "record", "name": name, "namespace": "shop",
                "fields": [{"name": field, "type": kind} for field, kind in fields.items()]}

    stamp = {"type": "long", "logicalType": "timestamp-millis"}
    shown = record("Shown", {"shown_at": stamp, "user_id": "string", "request_id": "string", "ranker": "string",
                             "items": {"type": "array", "items": "string"}})
    done = record("Done", {"at": stamp, "user_id": "string", "item_id": "string", "action": "string"})
    lists = [number(one["at"] * 1000) + text(one["visitor"]) + text(one["search"]) + text(one["ranker"])
             + number(len(one["items"])) + b"".join(map(text, one["items"])) + number(0) for one in shop.lists]
    actions = [number(one["ts"] * 1000) + text(one["visitor"]) + text(one["product"]) + text(one["action"])
               for one in shop.actions]
    return {"shown.avro": file(shown, lists), "done.avro": file(done, actions)}


def write(folder):
    """Writes all of them beside shown.csv and actions.csv."""
    shop = Shop(folder)
    for log in (german, app, ga4, segment, ubi, mind, kafka, pandas, labels, avro, rag, scroll, mail):
        for name, content in log(shop).items():
            if isinstance(content, bytes):
                (folder / name).write_bytes(content)
            else:
                (folder / name).write_text(content)
