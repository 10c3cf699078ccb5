# SPDX-License-Identifier: Zlib
"""Makes one module of several, for the package and for the page: each stands behind those that it needs."""
import os
import re

# One that begins on a line of its own, whether it imports a module of the folder or another one.
IMPORT = re.compile(r'^(?:import|export) (?:\{\s*([^}]*?),?\s*\} from )?"\./(.*)";\n', re.M)
EXPORT = re.compile(r"^export (?=const|class|function|async)", re.M)


def bare(text):
    """Without comments, which stay where one reads them, and without indentation."""
    return re.sub(r"^ *(?://.*|/\*\*(?s:.*?)\*/)\n|^ +| +// .*$", "", text, flags=re.M)


def plain(text, begin):
    """A module's text without `export`: what it exports is an object behind `begin`."""
    text, number = re.subn(r"^export \{ (.*) \};$", lambda match: f"{begin} {{ " + re.sub(r"(\w+) as (\w+)", r"\2: \1", match.group(1)) + " };", text, flags=re.M)
    if number != 1:
        raise SystemExit(f"{number} exports")
    return text


def modules_of(folder, entry):
    """The modules of a folder that one stands on, each behind those that it needs, and itself."""
    order, seen = [], set()

    def visit(name):
        if name in seen:
            return
        seen.add(name)
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        for _, other in IMPORT.findall(text):
            if os.path.exists(os.path.join(folder, other)):
                visit(other)
        order.append((name, text))

    visit(entry)
    return order


def joined(order):
    """One text of modules whose names all differ, and what the last one exports."""
    parts, exports = [], []
    for _, text in order:
        exports = re.findall(r"^export (?:const|class|function|async function) ([\w$]+)", text, re.M)
        for names in re.findall(r'^export \{ (.*) \} from "\./.*";$', text, re.M):
            exports += names.split(", ")
        parts.append(EXPORT.sub("", bare(IMPORT.sub("", text))).strip())
    return "\n\n".join(parts), exports


def apart(order):
    """The same where modules have names of their own: each is a function that returns what it exports. One may not need the next one."""
    parts = []
    for name, text in order:
        exports = re.findall(r"^export (?:const|class|function|async function) ([\w$]+)", text, re.M)
        text = IMPORT.sub(lambda found: f"const {{ {found[1]} }} = modules[\"{found[2]}\"];\n" if found[1] else "", text)
        parts.append(f"modules[\"{name}\"] = (() => {{\n{EXPORT.sub('', bare(text)).strip()}\nreturn {{ {', '.join(exports)} }};\n}})();\n")
    return "const modules = {};\n" + "\n".join(parts)
