"""Writes the events of a log to topics as Confluent's own client serialises them: produce_formats.py BOOTSTRAP REGISTRY LOG

To each of the topics avro, avro_header and protobuf, partition by partition as in the files LOG0.jsonl to LOG3.jsonl. The
last event of avro is followed by one without a frame, and one of a schema that the registry does not know.
"""

import json
import sys

from confluent_kafka import Producer
from confluent_kafka.schema_registry import SchemaRegistryClient, header_schema_id_serializer
from confluent_kafka.schema_registry.avro import AvroSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

bootstrap, registry_url, log = sys.argv[1:]
registry = SchemaRegistryClient({"url": registry_url})
TEXTS = ["type", "user_id", "list_id", "item_id", "event_id"]
NUMBERS = ["value", "score", "propensity"]

avro = {"type": "record", "name": "Event", "namespace": "shop", "fields": [
    {"name": "ts", "type": {"type": "long", "logicalType": "timestamp-millis"}},
    {"name": "position", "type": ["null", "int"]},
    {"name": "items", "type": ["null", {"type": "array", "items": "string"}]},
    {"name": "segments", "type": ["null", {"type": "map", "values": "string"}]}]
    + [{"name": name, "type": ["null", "string"]} for name in TEXTS]
    + [{"name": name, "type": ["null", "double"]} for name in NUMBERS]
    + [{"name": name, "type": ["null", {"type": "array", "items": "double"}]} for name in ("scores", "propensities")]}


def protobuf_type():
    """shop.proto, by hand: protoc may not be there. Its second message is the one that is used."""
    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="shop.proto", package="shop", syntax="proto3")
    file.message_type.add(name="Other")
    event = file.message_type.add(name="Event")
    number = 0

    def add(name, kind, label=field.LABEL_OPTIONAL, type_name=None, presence=False):
        nonlocal number
        number += 1
        added = event.field.add(name=name, number=number, type=kind, label=label, type_name=type_name)
        if presence:
            added.proto3_optional, added.oneof_index = True, len(event.oneof_decl)
            event.oneof_decl.add(name="_" + name)

    add("ts", field.TYPE_INT64)
    add("position", field.TYPE_INT32, presence=True)
    add("shown", field.TYPE_MESSAGE, type_name=".shop.Event.Shown")
    add("segments", field.TYPE_MESSAGE, field.LABEL_REPEATED, ".shop.Event.SegmentsEntry")
    for name in TEXTS:
        add(name, field.TYPE_STRING)
    for name in NUMBERS:
        add(name, field.TYPE_DOUBLE, presence=True)
    shown = event.nested_type.add(name="Shown")
    shown.field.add(name="items", number=1, type=field.TYPE_STRING, label=field.LABEL_REPEATED)
    entry = event.nested_type.add(name="SegmentsEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=field.TYPE_STRING, label=field.LABEL_OPTIONAL)
    entry.field.add(name="value", number=2, type=field.TYPE_STRING, label=field.LABEL_OPTIONAL)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("shop.Event"))


Event = protobuf_type()


def as_message(event):
    message = Event()
    for name in ["ts", "position", *TEXTS, *NUMBERS]:
        if event.get(name) is not None:
            setattr(message, name, event[name])
    if event.get("items") is not None:
        message.shown.items.extend(event["items"])
        message.shown.SetInParent()
    for key, value in event.get("segments", {}).items():
        message.segments[key] = value
    return message


def as_record(event):
    return {field["name"]: event.get(field["name"]) for field in avro["fields"]}


serializers = {
    "avro": (AvroSerializer(registry, json.dumps(avro)), as_record),
    "avro_header": (AvroSerializer(registry, json.dumps(avro),
                                   conf={"schema.id.serializer": header_schema_id_serializer}), as_record),
    "protobuf": (ProtobufSerializer(Event, registry, {"use.deprecated.format": False}), as_message)}  # fmt: skip
producer = Producer({"bootstrap.servers": bootstrap})
for topic, (serializer, shaped) in serializers.items():
    for partition in range(4):
        for line in open(f"{log}{partition}.jsonl"):
            event, headers = json.loads(line), []
            context = SerializationContext(topic, MessageField.VALUE, headers)
            value = serializer(shaped(event), context)
            while True:
                try:
                    producer.produce(topic, value, partition=partition, headers=context.headers, timestamp=event["ts"])
                    break
                except BufferError:
                    producer.poll(1)
producer.flush()
producer.produce("broken", b"no frame", partition=0, timestamp=1)
producer.produce("broken", b"\0\0\0\xff\xff" + b"of an unknown schema", partition=0, timestamp=1)
producer.produce("broken", b"\0\0\0\0\1\x02", partition=0, timestamp=1)
producer.flush()
