# SPDX-License-Identifier: Zlib
"""C as tokens, and a file of C as a list of parts (functions, variables, types, macros, conditions) with the names that
each declares and uses. It knows the C of this project, not all of C: what it cannot read is a Trouble. For
amalgamate.py."""
import re

# What may stand in front of a name and is none.
PREFIXES = set("TM_API TMI_INLINE TMI_WIDE TMI_SHA_TARGET static extern inline const _Noreturn".split())
STATICS = {"static", "TMI_INLINE", "TMI_WIDE", "TMI_WIDE_AVX2"}
WITH_ARGUMENTS = {"__attribute__", "TMI_PRINTF", "_Alignas", "alignas", "_Atomic"}
KEYWORDS = set("""auto bool break case char const continue default defined do double else enum extern float for goto if
    inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void
    volatile while _Alignas _Alignof _Atomic _Bool _Generic _Noreturn _Static_assert""".split())
DEEPER = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}

TOKEN = re.compile(r'''
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<space>\s+)
  | (?P<directive>^\#(?:[^\n\\/"]|\\.|"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|/(?!\*))*)
  | (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign>\#\#|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
  ''', re.VERBOSE | re.DOTALL | re.MULTILINE)
DIRECTIVE = re.compile(r"#[ \t]*(\w+)[ \t]*(.*)", re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")


class Trouble(Exception):
    """The source has something that these programs cannot read."""


def tokens_of(text):
    """Tokens as (kind, text)."""
    return [(match.lastgroup, match.group()) for match in TOKEN.finditer(text)]


def is_code(token):
    return token[0] not in ("comment", "space")


def joined(tokens):
    return "".join(text for _, text in tokens)


# ------------------------------------------------------------------------------------------------------ conditions

def evaluated(condition, known):
    """True or False, or None where the condition is about other macros, too."""
    def value(match):
        name = match.group(1) or match.group(2)
        if name not in known:
            return "unknown"
        return str(known[name] is not None) if match.group(1) else str(known[name] or 0)

    condition = re.sub(r"/\*.*?\*/|\\\n", " ", condition, flags=re.DOTALL)
    words = re.sub(r"defined\s*\(?\s*(\w+)\s*\)?|\b([A-Za-z_]\w*)\b", value, condition)
    if "unknown" in words:
        return None
    words = words.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    return bool(eval(words, {"__builtins__": {}}))  # numbers, True, False and operators: nothing else is left


def decided(text, known):
    """The text without the branches that the known macros (None: not defined) do not take, and with their values."""
    if not any(name in text for name in known):
        return text
    out, stack = [], []  # of conditions that are open: None, or whether the decided one takes its present branch
    is_gone = False  # the last directive is left out, and so is its end of line
    for kind, token in tokens_of(text):
        if is_gone and token.startswith("\n"):
            token = token[1:]
        is_gone = False
        word, rest = DIRECTIVE.match(token).groups() if kind == "directive" else ("", "")
        if word in ("if", "ifdef", "ifndef"):
            condition = {"if": "", "ifdef": "defined ", "ifndef": "!defined "}[word] + rest
            stack.append(evaluated(condition, known))
            is_gone = stack[-1] is not None
        elif word == "elif" and (stack[-1] is not None or evaluated(rest, known) is not None):
            raise Trouble(f"#elif {rest}: a decided condition")
        elif word in ("else", "endif") and stack[-1] is not None:
            stack[-1] = not stack[-1]
            is_gone = True
        if not is_gone and False not in stack:
            out.append(str(known[token]) if kind == "name" and known.get(token) is not None else token)
        if word == "endif":
            stack.pop()
    if stack:
        raise Trouble("a condition does not end")
    return "".join(out)


# ----------------------------------------------------------------------------------------------------------- parts

KINDS = {"define": "macro", "undef": "undef", "include": "include", "if": "if", "ifdef": "if", "ifndef": "if",
         "elif": "else", "else": "else", "endif": "endif"}


class Part:
    """A declaration or definition (kind "c") or a directive (of KINDS, or "other"), with the comments before it."""

    def __init__(self, before, tokens, kind, is_definition=False):
        self.before, self.tokens, self.kind, self.is_definition = before, tokens, kind, is_definition
        self.code = [token for token in tokens if is_code(token)]
        self.words = [text for _, text in self.code]
        self.names, self.tags, self.is_function, self.is_kept = [], [], False, False
        self.made, self.is_called = set(), False  # of a call that declares: what its macro makes of it; of that macro
        if kind == "macro":
            self.names = [re.match(r"#[ \t]*define[ \t]+(\w+)", self.words[0]).group(1)]
        elif kind == "c":
            self.declare()

    def declare(self):
        """Finds the names that it declares, and those of structs, unions and enums: the tags."""
        words = self.words
        if words[0] == "_Static_assert":
            return
        if words[0].isupper() and words[1] == "(" and (words[-1] == ")" or words[-2:] == [")", ";"]):
            self.names = [words[2]]  # a macro that declares: what it makes is named first
            self.is_definition = words[-1] == ")"
            return
        if not self.is_definition:
            self.tags = [name for word, name, after in zip(words, words[1:], words[2:])
                         if word in ("struct", "union", "enum") and NAME.match(name) and after in ("{", ";")]
            self.names = constants(words)
        for declarator in declarators(outer_code(self.code)):
            name, is_function = declared(declarator)
            if name:
                self.names.append(name)
                self.is_function = self.is_function or is_function and words[0] != "typedef"
            if self.is_definition:
                break

    def has_body(self, tag):
        """Whether it says what is in the struct of this name."""
        return any(word == tag and after == "{" for word, after in zip(self.words, self.words[1:]))

    def is_shared(self):
        """Whether it is a function or a variable that other files may use."""
        if self.kind != "c" or self.words[0] in ("typedef", "_Static_assert") or self.words[-1] == ")":
            return False
        return not STATICS & set(self.words[:3]) and not set(self.names) <= set(constants(self.words))

    def all_words(self):
        for kind, token in self.code:
            if kind == "name":
                yield token
            elif kind == "directive":
                yield from NAME.findall(token)

    def uses(self):
        """The names that it uses, except those of members, and patterns of the names that it makes by ##."""
        names, patterns = set(self.made), set()
        for i, (kind, token) in enumerate(self.code):
            if kind == "name" and not (i and self.words[i - 1] in (".", "->")):
                names.add(token)
            elif kind == "directive":
                word, rest = DIRECTIVE.match(token).groups()
                if word == "define":
                    macro_names, macro_patterns = macro_uses(rest)
                    names |= macro_names
                    patterns |= set() if self.is_called else macro_patterns
                if word != "define" or i or len(self.code) > 1:
                    names |= set(NAME.findall(token))
        return names, patterns


def macro_uses(text):
    """The same for what stands behind #define."""
    text = re.sub(r"/\*.*?\*/|\\\n", " ", text, flags=re.DOTALL)
    head = re.match(r"\w+(?:\(([^)]*)\))?", text)
    parameters = {word.strip() for word in (head.group(1) or "").split(",")}
    body, patterns = text[head.end():], set()
    for match in re.finditer(r"\w+(?:\s*##\s*\w+)+", body):
        pieces = re.split(r"\s*##\s*", match.group())
        pattern = "".join(r"\w+" if piece in parameters else piece for piece in pieces)
        if pattern.replace(r"\w+", ""):
            patterns.add(pattern)
    code = [token for token in tokens_of(body) if is_code(token)]
    names = {text for (kind, text), (_, before) in zip(code, [("", ""), *code])
             if kind == "name" and before not in (".", "->")}
    return names, patterns


def glued_parameters(macro):
    """Which parameters of a macro become text or a piece of a name, as numbers."""
    text = re.sub(r"/\*.*?\*/|\\\n", " ", DIRECTIVE.match(macro.words[0]).group(2), flags=re.DOTALL)
    head = re.match(r"\w+\(([^)]*)\)", text)
    if not head:
        return set()
    body = text[head.end():]
    glued = set(re.findall(r"#\s*(\w+)", body)) | set(re.findall(r"(\w+)\s*##", body))
    return {i for i, word in enumerate(head.group(1).split(",")) if word.strip() in glued}


def made_names(macro, call):
    """The names that a macro makes by ## where it is called: 'COMPRESS(small)' makes 'compress_small' of
    'compress_##name'."""
    text = re.sub(r"/\*.*?\*/|\\\n", " ", DIRECTIVE.match(macro.words[0]).group(2), flags=re.DOTALL)
    head = re.match(r"\w+\(([^)]*)\)", text)
    if not head:
        return []
    arguments, depth = [""], 0
    for word in call.words[1:]:
        depth += DEEPER.get(word, 0)
        if word == "," and depth == 1:
            arguments.append("")
        elif depth and (word, depth) != ("(", 1):
            arguments[-1] += word
    values = dict(zip([word.strip() for word in head.group(1).split(",")], arguments))
    return ["".join(values.get(piece, piece) for piece in re.split(r"\s*##\s*", match.group()))
            for match in re.finditer(r"\w+(?:\s*##\s*\w+)+", text[head.end():])]


def constants(words):
    """The constants of the enums in a declaration; those that macros make are not known."""
    found = []
    for i, word in enumerate(words):
        if word != "enum":
            continue
        i += 1 if words[i + 1] == "{" else 2
        if i >= len(words) or words[i] != "{":
            continue
        depth, is_next = 1, True
        while depth:
            i += 1
            depth += DEEPER.get(words[i], 0)
            if depth == 1 and words[i] == ",":
                is_next = True
            elif depth == 1 and is_next and NAME.match(words[i]) and words[i + 1] != "(":
                found.append(words[i])
                is_next = False
    return found


def outer_code(code):
    """The tokens outside of braces, without attributes, prefixes, and the struct or enum that stands in front."""
    out, i = [], 0
    while i < len(code):
        word = code[i][1]
        if word == "{" or word in WITH_ARGUMENTS and code[i + 1][1] == "(":
            i += word != "{"
            depth = 0
            while True:
                depth += DEEPER.get(code[i][1], 0)
                i += 1
                if depth == 0:
                    break
            out += [("group", "")] * (word == "{")
            continue
        if word not in PREFIXES:
            out.append(code[i])
        i += 1
    if out and out[0][1] in ("struct", "union", "enum"):
        out = out[2:] if len(out) > 1 and out[1][0] == "name" else out[1:]
    return [token for token in out if token[0] != "group"]


def declarators(code):
    """What stands between the commas of a declaration."""
    pieces, depth = [[]], 0
    for token in code:
        depth += DEEPER.get(token[1], 0)
        if token[1] in (",", ";") and depth == 0:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


def declared(code):
    """The name of a declarator, as of 'x', '*x[3]', '(*x)(int)' and 'f(int)', and whether it is a function."""
    def names(tokens):
        return [text for kind, text in tokens if kind == "name" and text not in KEYWORDS]

    for i, (_, token) in enumerate(code):
        if token == "(" and i + 1 < len(code) and code[i + 1][1] == "*":
            return (names(code[i + 1:]) or [None])[0], False
        if token in ("(", "[", "=", ":"):
            return (names(code[:i]) or [None])[-1], token == "("
    return (names(code) or [None])[-1], False


def is_call(tokens, first, last):
    """Whether these tokens are a macro that declares, as in 'NAMES(function, ...)' without a semicolon."""
    after = next((token for token in tokens[last + 1:] if is_code(token)), ("", ""))
    name, bracket = [text for _, text in filter(is_code, tokens[first:last + 1])][:2]
    return name.isupper() and bracket == "(" and after[0] in ("name", "directive", "") and not name.startswith("TM")


def declaration_end(tokens, first):
    """The place behind a declaration or definition, and whether it is a function with its body."""
    depth, is_function = 0, False
    for i in range(first, len(tokens)):
        kind, token = tokens[i]
        if token == "{" and depth == 0:
            before = [text for _, text in filter(is_code, tokens[first:i])]
            is_function = before[-1] == ")" and "=" not in before
        if kind == "sign":
            depth += DEEPER.get(token, 0)
        if depth == 0 and (token == ";" or token == "}" and is_function or token == ")" and is_call(tokens, first, i)):
            return i + 1, is_function
    raise Trouble("a declaration does not end: " + joined(tokens[first:first + 20]))


def parts_of(text):
    """A file as its parts."""
    tokens, parts, before, i = tokens_of(text), [], [], 0
    while i < len(tokens):
        if not is_code(tokens[i]):
            before.append(tokens[i])
            i += 1
            continue
        if tokens[i][0] == "directive":
            end, is_function = i + 1, False
            kind = KINDS.get(DIRECTIVE.match(tokens[i][1]).group(1), "other")
        else:
            end, is_function = declaration_end(tokens, i)
            kind = "c"
        # A comment behind it on its last line belongs to it.
        tail = tokens[end:end + 2]
        if len(tail) == 2 and tail[0][0] == "space" and "\n" not in tail[0][1] and tail[1][0] == "comment":
            end += 2
        parts.append(Part(before, tokens[i:end], kind, is_function))
        before, i = [], end
    return parts
