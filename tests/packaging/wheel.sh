#!/usr/bin/env bash
# In a minimal Debian that has Python and no compiler: the wheel is installed, and answers.
#   usage: wheel.sh WHEEL...      (beside examples/; scripts/clean-root SUITE wheel calls it)
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
fail() { echo "wheel: $1" >&2; exit 1; }

apt-get -qq update
apt-get -qq install -y --no-install-recommends python3 python3-venv tzdata >/dev/null 2>&1
for tool in gcc g++ cc cmake ninja node; do
  if command -v $tool >/dev/null; then fail "there is a $tool: this proves nothing"; fi
done
python3 -m venv /tmp/env
place=$(cd "$(dirname "$1")" && pwd)
/tmp/env/bin/pip install --quiet --disable-pip-version-check --no-index --find-links "$place" recmeter
/tmp/env/bin/pip show --files recmeter | grep -E '^(Version|Location)'
examples=$PWD/examples
cd /tmp
export PATH=/tmp/env/bin:$PATH

# Without any other package.
python - "$examples/shop" <<'PYTHON'
import sys
import recmeter

shop = sys.argv[1]
arguments = dict(
    fields={
        "impressions": {"ts": "shown_at", "user_id": "visitor", "list_id": "search", "items": {"at": "products", "split": "|"},
                        "unit": "rfc3339"},
        "feedback": {"ts": "at", "user_id": "visitor", "item_id": "product", "type": "action", "unit": "rfc3339"},
    },
    actions={"click": 1, "order": 3},
)
compared = recmeter.compare(f"{shop}/shown.csv", f"{shop}/actions.csv", by="ranker", **arguments)
assert compared.words[0].startswith("new against old: precision@5 +6.5 %"), compared.words
found = recmeter.evaluate(f"{shop}/shown.csv", f"{shop}/actions.csv", segments=["ranker"], windows=["hour", "all"], **arguments)
print(found.summary())
print(found.why("precision@5", key="ranker", a="old", b="new").words)
assert "s0498" in str(found.explain("s0498"))
page = recmeter.report(found, "page.html", lists=True)
assert "uPlot" in page.read_text(), "the page has no charts"
PYTHON

recmeter version
recmeter infer "$examples/shop/shown.csv" "$examples/shop/actions.csv" >shop.yaml
recmeter replay --config shop.yaml "$examples/shop/shown.csv" "$examples/shop/actions.csv" --output rows.jsonl --lists lists.jsonl
recmeter compare --config shop.yaml --by ranker "$examples/shop/shown.csv" "$examples/shop/actions.csv" | head -n 1
recmeter report rows.jsonl --lists lists.jsonl --output report.html
grep -q uPlot report.html || fail "the page of the command has no charts"

# As in a notebook.
pip install --quiet --disable-pip-version-check --only-binary :all: pandas pyarrow matplotlib nbclient nbformat ipykernel
python - "$examples/notebook" <<'PYTHON'
import sys
import nbclient
import nbformat

notebook = nbformat.read(f"{sys.argv[1]}/shop.ipynb", as_version=4)
nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": sys.argv[1]}}).execute()
print(len(notebook.cells), "cells of the notebook ran")
PYTHON
echo "wheel: all of it runs"
