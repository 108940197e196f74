"""The workflow file parses, and the commands in it exist: gate_workflow.py FOLDER W4CHECK."""

import os
import re
import subprocess
import sys

try:
    import yaml
except ImportError:
    print("skipped: python3 has no yaml (python3-yaml)")
    sys.exit(77)

folder, w4check = sys.argv[1:3]
with open(os.path.join(folder, ".github/workflows/gate.yml"), encoding="utf-8") as f:
    workflow = yaml.safe_load(f)

wrong = []
scripts, gates = 0, 0
for name, job in workflow["jobs"].items():
    for step in job["steps"]:
        if "uses" in step and not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"]):
            wrong.append(f"{name}: {step['uses']} is not pinned to a commit")
        for words in map(str.split, step.get("run", "").splitlines()):
            if words and words[0].startswith("./ci/"):
                scripts += 1
                if not os.access(os.path.join(folder, words[0]), os.X_OK):
                    wrong.append(f"{name}: there is no {words[0]}")
            if len(words) > 1 and words[0].endswith("bin/w4check"):
                gates += 1
                said = subprocess.run([w4check, words[1], "--help"], capture_output=True, text=True)
                for word in words[2:]:
                    known = re.search(rf"{re.escape(word)}\b", said.stdout)
                    if word.startswith("--") and (said.returncode != 0 or not known):
                        wrong.append(f"{name}: w4check {words[1]} has no {word}")
if scripts < 3 or gates < 1:
    wrong.append(f"{scripts} scripts and {gates} calls of w4check: some are missing")
print("\n".join(wrong) or f"{scripts} scripts and {gates} calls of w4check exist")
sys.exit(1 if wrong else 0)
