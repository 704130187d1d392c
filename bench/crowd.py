#!/usr/bin/env python3
"""Clients that a server has to bear: streams, most of which nobody reads, headers that never end, and a scrape a second.

crowd.py HOST PORT: until it is ended. Says on standard output, a JSON line a second, how many connections still stand.
Connections come from several loopback addresses, for one address may have only some of them.
"""

import asyncio
import contextlib
import json
import sys
import time

STREAMS, READ, SLOW = 500, 50, 200


async def connect(host, port, number):
    return await asyncio.open_connection(host, port, local_addr=(f"127.0.0.{2 + number % 4}", 0))


class Crowd:
    def __init__(self, host, port):
        self.host, self.port = host, port
        self.read_bytes = self.scrapes = self.refused = self.slow = 0
        self.longest_scrape = 0.0
        self.unread = []  # kept, so that they stay open

    async def stream(self, number, is_read):
        try:
            reader, writer = await connect(self.host, self.port, number)
            writer.write(f"GET /api/v1/stream HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode())
            if not is_read:
                writer.transport.pause_reading()
                self.unread.append((reader, writer))
                return
            while got := await reader.read(1 << 16):
                self.read_bytes += len(got)
        except OSError:
            self.refused += 1

    async def slow_header(self, number):
        """A header byte a second; begun again when the server has had enough."""
        while True:
            try:
                _, writer = await connect(self.host, self.port, number)
                self.slow += 1
                for byte in f"GET / HTTP/1.1\r\nHost: {self.host}\r\nX: {'y' * 1000}":
                    writer.write(byte.encode())
                    await writer.drain()
                    await asyncio.sleep(1)
            except OSError:
                await asyncio.sleep(1)

    async def scrape(self):
        while True:
            begin = time.monotonic()
            with contextlib.suppress(OSError):
                reader, writer = await connect(self.host, self.port, 0)
                writer.write(f"GET /metrics HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n\r\n".encode())
                if (await reader.read()).startswith(b"HTTP/1.1 200"):
                    self.scrapes += 1
                    self.longest_scrape = max(self.longest_scrape, time.monotonic() - begin)
                writer.close()
            await asyncio.sleep(1)

    async def run(self):
        tasks = [asyncio.create_task(self.stream(n, n < READ)) for n in range(STREAMS)]
        tasks += [asyncio.create_task(self.slow_header(n)) for n in range(SLOW)]
        tasks.append(asyncio.create_task(self.scrape()))
        while True:
            await asyncio.sleep(1)
            print(json.dumps({"read_bytes": self.read_bytes, "scrapes": self.scrapes, "refused": self.refused,
                              "slow": self.slow, "longest_scrape_ms": round(self.longest_scrape * 1000, 1)}), flush=True)


asyncio.run(Crowd(sys.argv[1], int(sys.argv[2])).run())
