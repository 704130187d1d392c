"""Reading C++ as text, as far as scripts/style.py needs it: no comments, no strings, where functions begin and end."""

import re
from dataclasses import dataclass

_LITERAL_OR_COMMENT = re.compile(
    r"""//[^\n]*
      | /\*.*?\*/
      | R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"
      | "(?:\\.|[^"\\\n])*"
      | (?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'""",
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)
_TEMPLATE_HEAD = re.compile(r"^\s*template\s*<[^{}]*?>\s*(?=(?:class|struct|union)\b)")
_OPENS_A_SCOPE = re.compile(r"\s*(?:\[\[.*?\]\]\s*)?(?:inline\s+)?(?:namespace|class|struct|union|enum|extern)\b")
_ENDS_AS_FUNCTION = re.compile(r"\)\s*(?:const|noexcept|override|final|\s)*$")
_MEMBER_INITIALISERS = re.compile(r"\)[\s\w]*(?<!:):(?!:)")


def _spaces(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def code_only(text):
    """The text with comments and the insides of literals blanked; every line keeps its number and columns."""
    return _LITERAL_OR_COMMENT.sub(_spaces, text)


@dataclass(frozen=True)
class Function:
    first_line: int  # of the body's opening brace, 1-based
    last_line: int

    @property
    def length(self):
        return max(0, self.last_line - self.first_line - 1)


def functions(text):
    """The outermost function bodies of a source; lambdas and local types count towards the function around them.

    A brace opens a function when what stands before it, back to the last statement, has a parameter list. That is a guess,
    good for code that clang-format has laid out.
    """
    code = _DIRECTIVE.sub(_spaces, code_only(text))
    found, scopes, head_start, line = [], [], 0, 1
    for at, char in enumerate(code):
        if char == "\n":
            line += 1
        elif char == "{":
            kind = _kind_of_brace(code[head_start:at], scopes)
            scopes.append((kind, line))
            if kind != "initialiser":
                head_start = at + 1
        elif char == "}" and scopes:
            kind, first_line = scopes.pop()
            if kind == "function":
                found.append(Function(first_line, line))
            if kind != "initialiser":
                head_start = at + 1
        elif char == ";":
            head_start = at + 1
    return found


def _kind_of_brace(head, scopes):
    if scopes and scopes[-1][0] in ("function", "inside", "initialiser"):
        return "inside"
    head = re.sub(r"^\s*(?:public|protected|private)\s*:(?!:)", "", _TEMPLATE_HEAD.sub("", head))
    if _OPENS_A_SCOPE.match(head) and not _ENDS_AS_FUNCTION.search(head):
        return "scope"
    if _MEMBER_INITIALISERS.search(head) and re.search(r"[\w>]\s*$", head):
        return "initialiser"
    return "function" if "(" in head else "inside"
