#!/usr/bin/env python3
"""scripts/progress.sh tells how long a build takes: steps weigh by time, and the time left never climbs by over 10 s."""

import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "progress.sh"


def bash(text: str) -> str:
    done = subprocess.run(["bash", "-euc", f". {SCRIPT}\n{text}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def times_left(seen: list[tuple[int, int]], total: int) -> list[int]:
    """What is shown at (second, done) of `total`; nothing while nothing is shown."""
    lines = [f"estimate {second} {done} {total}; echo \"${{left:-none}}\"" for second, done in seen]
    return [int(line) for line in bash("left='' left_at=0 finished_before=0\n" + "\n".join(lines)).split() if line != "none"]


class TimeLeft(unittest.TestCase):
    def test_counts_down_between_steps(self) -> None:
        self.assertEqual(times_left([(10, 10), (11, 10), (15, 10)], 40), [30, 29, 25])

    def test_is_nothing_before_a_twentieth(self) -> None:
        self.assertEqual(times_left([(10, 1), (20, 2), (30, 5)], 100), [570])

    def test_never_climbs_by_more_than_ten_seconds(self) -> None:
        for seed in range(20):
            dice = random.Random(seed)
            done, seen = 0, []
            for second in range(0, 300):
                if dice.random() < 0.2:
                    done = min(200, done + dice.choice([0, 1, 1, 2, 20]))
                seen.append((second, done))
            left = times_left(seen, 200)
            self.assertTrue(left, seed)
            for before, after in zip(left, left[1:]):
                self.assertLessEqual(after - before, 10, seed)
                self.assertGreaterEqual(after, 1, seed)

    def test_of_steps_that_weigh_what_they_take_hardly_moves(self) -> None:
        seconds = [2] * 20 + [40, 3, 30, 5] + [1] * 10
        seen, now = [], 0
        for i, step in enumerate(seconds):
            now += step
            seen.append((now, sum(seconds[: i + 1])))
        left = times_left(seen, sum(seconds))
        ends = [second + rest for (second, _), rest in zip(seen[-len(left) :], left)]
        self.assertLessEqual(max(ends) - min(ends), 2)


class Weights(unittest.TestCase):
    def test_are_of_the_steps_that_the_log_says_are_done(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            log = Path(place) / "log"
            log.write_text("-- Configuring\n[1/3] Building CXX object a.o\n[2/3] Generating page\nwarning: [9/9] x\n")
            Path(f"{log}.plan").write_text("30 Building CXX object a.o\n1 Generating page\n5 Linking CXX executable a\n")
            self.assertEqual(bash(f"weighed {log}"), "31 36\n")

    def test_of_a_batch_go_by_the_size_of_its_sources(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            build = Path(place)
            (build / "a.dir" / "Unity").mkdir(parents=True)
            (build / "long.cpp").write_text("/" * 50_000)
            (build / "a.dir" / "Unity" / "unity_0_cxx.cxx").write_text(f'#include "{build}/long.cpp"\n')
            (build / "build.ninja").write_text(
                "rule cc\n command = true\n description = Building CXX object $out\n"
                "rule link\n command = true\n description = Linking CXX executable $out\n"
                "build a.dir/Unity/unity_0_cxx.cxx.o: cc\nbuild b.dir/b.cpp.o: cc\n"
                "build a: link a.dir/Unity/unity_0_cxx.cxx.o b.dir/b.cpp.o\n"
            )
            plan = bash(f"plan_of {build} a").splitlines()
        self.assertEqual(
            sorted(plan),
            [
                "12 Building CXX object a.dir/Unity/unity_0_cxx.cxx.o",
                "4 Building CXX object b.dir/b.cpp.o",
                "5 Linking CXX executable a",
            ],
        )

    def test_are_of_all_steps_though_ninja_would_look_for_new_sources_first(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            source, build = Path(place), Path(place) / "build"
            (source / "a.c").write_text("int main(void) { return 0; }\n")
            (source / "CMakeLists.txt").write_text(
                'cmake_minimum_required(VERSION 3.25)\nproject(a C)\n'
                'file(GLOB all CONFIGURE_DEPENDS "*.c")\nadd_executable(a ${all})\n'
            )
            subprocess.run(["cmake", "-G", "Ninja", "-S", source, "-B", build], capture_output=True, check=True)
            plan = bash(f"plan_of {build} a").splitlines()
            self.assertEqual(plan, ["4 Building C object CMakeFiles/a.dir/a.c.o", "5 Linking C executable a"])
            self.assertEqual([path.name for path in build.glob("*.ninja")], ["build.ninja"])


class Compilers(unittest.TestCase):
    def test_are_one_at_least_and_one_a_core_at_most(self) -> None:
        cores = int(subprocess.run(["nproc"], capture_output=True, text=True, check=True).stdout)
        self.assertIn(int(bash("compilers")), range(1, cores + 1))


if __name__ == "__main__":
    sys.exit(unittest.main())
