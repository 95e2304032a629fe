"""The forms of a page that may be filled in: those that only ask for pages, above all search boxes.

A form is left alone unless it is harmless by all that it says: it is sent with GET, to the same site, and asks for
nothing but words or a choice. Forms for logging in, registering, writing, buying or voting are never filled in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import urlencode

from selectolax.lexbor import LexborHTMLParser, LexborNode

from clew.parse.links import MAX_LABEL_CHARACTERS
from clew.parse.url import canonical, domain
from clew.types import Form, FormField

MAX_FORMS_PER_PAGE: Final = 5  # search boxes first
MAX_EXAMINED_FORMS: Final = 50
MAX_FIELDS: Final = 12  # a form with more of them asks for more than words
MAX_OPTIONS: Final = 100  # of a list; the rest is ignored
MAX_VALUE_CHARACTERS: Final = 200

TEXT_TYPES: Final = ("text", "search", "")
FIXED_TYPES: Final = ("hidden", "checkbox", "radio")
NO_VALUE_TYPES: Final = ("submit", "button", "reset", "image")
# Names of fields that hold keys of a session, and of fields that ask who somebody is.
SECRET: Final = re.compile(r"csrf|xsrf|token|nonce|auth|session|viewstate|captcha|honeypot|signature", re.I)
PERSONAL: Final = re.compile(
    r"(?:^|[\W_])(?:e?mail|user|login|pass|pw|pwd|phone|tel|first|last|address|zip|card|iban|comment|message)", re.I
)
# Words in the address or on the button of a form that does more than ask.
DEEDS: Final = frozenset(
    {
        *("login", "logon", "signin", "signup", "register", "registration", "logout", "signout", "password", "account"),
        *("subscribe", "unsubscribe", "newsletter", "contact", "send", "report", "comment", "reply", "post", "upload"),
        *("cart", "basket", "checkout", "buy", "order", "pay", "donate", "book", "reserve", "vote", "poll", "rate"),
        *("delete", "remove", "edit", "create", "save", "anmelden", "abmelden", "registrieren", "absenden", "senden"),
        *("kaufen", "bestellen", "warenkorb", "kontakt", "buchen", "acheter", "panier", "connexion", "comprar"),
    }
)
SEARCH: Final = re.compile(r"search|such|query|find|recherch|busca|cerca|zoek|keyword|terms?$|^q$|^s$|^_search$", re.I)
WORD: Final = re.compile(r"[^\W\d_]+")


class FoundForm(NamedTuple):
    """A form before its address is resolved."""

    action: str
    fields: tuple[FormField, ...]
    label: str
    is_search: bool


def find_forms(tree: LexborHTMLParser) -> list[FoundForm]:
    """The forms that may be filled in, search boxes first; call this before anything is removed from the tree.

    >>> html = "<form action=/find><input name=q><button>Go</button></form><form method=post><input name=q></form>"
    >>> [(form.action, form.fields[0].name, form.label) for form in find_forms(LexborHTMLParser(html))]
    [('/find', 'q', 'Go')]
    """
    read = [_form(node) for node in tree.css("form")[:MAX_EXAMINED_FORMS]]
    found = [form for form in read if form]
    # The order of the page decides among equals.
    found.sort(key=lambda form: not form.is_search)
    return found[:MAX_FORMS_PER_PAGE]


def resolved(source: str, found: list[FoundForm], base: str, charset: str) -> tuple[Form, ...]:
    """The forms with absolute addresses; one that leads to another site is left out, as is a repeated one."""
    forms: dict[str, Form] = {}
    for form in found:
        # Without an action, a form leads to the page that it stands on.
        action = canonical(form.action or source, base)
        if not action or domain(action) != domain(source):
            continue
        # A GET request replaces the query of the address by the fields.
        address = action.partition("?")[0]
        forms.setdefault(address, Form(address, form.fields, form.label, charset, form.is_search))
    return tuple(forms.values())


def query_url(form: Form, values: Mapping[str, str]) -> str:
    """The URL of a form that is filled in with these values, its other fields as they were; "" if there is none.

    >>> box = Form("http://a.example/find", (FormField("q"), FormField("lang", "en")))
    >>> query_url(box, {"q": "old boats"})
    'http://a.example/find?q=old+boats&lang=en'
    """
    pairs = [(field.name, values.get(field.name, field.value)) for field in form.fields]
    try:
        query = urlencode(pairs, encoding=form.charset, errors="xmlcharrefreplace")
    except LookupError:
        query = urlencode(pairs)
    return canonical(f"{form.action}?{query}") or ""


def _form(node: LexborNode) -> FoundForm | None:
    attributes = node.attributes
    if (attributes.get("method") or "get").strip().lower() != "get":
        return None
    if "nofollow" in (attributes.get("rel") or "").lower():
        return None
    action = (attributes.get("action") or "").strip()
    elements = node.css("input, select, textarea, button")
    if len(elements) > 3 * MAX_FIELDS:
        return None
    fields = _fields(elements)
    label = _label(node, elements)
    if fields is None or DEEDS & _words(f"{action.partition('?')[0]} {label} {attributes.get('id') or ''}"):
        return None
    texts = [field for field in fields if field.is_text]
    choices = [field for field in fields if field.options]
    box = _search_box(texts)
    if not (box or choices) or (texts and not box) or len(fields) > MAX_FIELDS:
        return None
    # One text is filled in; the others stay empty, as most people leave them.
    fields = [field._replace(is_text=field is box) for field in fields]
    return FoundForm(action, tuple(fields), label, _is_search(node, box, elements))


def _search_box(texts: list[FormField]) -> FormField | None:
    """The field for words: the one that looks like it, or the only one. Two that do not ask for more than words."""
    named = [field for field in texts if SEARCH.search(field.name)]
    return named[0] if named else texts[0] if len(texts) == 1 else None


def _fields(elements: list[LexborNode]) -> list[FormField] | None:
    """The fields that are sent, with their values; None if one of them forbids to fill in the form."""
    fields: list[FormField] = []
    for element in elements:
        attributes = element.attributes
        name = (attributes.get("name") or "").strip()
        kind = (attributes.get("type") or "").strip().lower()
        if element.tag == "textarea" or kind in ("password", "file", "email", "tel"):
            return None
        if SECRET.search(name) or PERSONAL.search(name):
            return None
        if not name or "disabled" in attributes or element.tag == "button" or kind in NO_VALUE_TYPES:
            continue
        if element.tag == "select":
            fields.append(_choice(name, element))
            continue
        value = (attributes.get("value") or "")[:MAX_VALUE_CHARACTERS]
        if kind in TEXT_TYPES:
            fields.append(FormField(name, "", is_text=True))
        elif kind == "hidden" or (kind in FIXED_TYPES and "checked" in attributes):
            fields.append(FormField(name, value or ("on" if kind != "hidden" else "")))
        elif kind not in FIXED_TYPES and "required" in attributes:
            # A date or a number that must be there, and that nobody can guess.
            return None
    return fields


def _choice(name: str, element: LexborNode) -> FormField:
    options: dict[str, str] = {}
    selected: str | None = None
    for option in element.css("option")[:MAX_OPTIONS]:
        label = " ".join(option.text().split())[:MAX_VALUE_CHARACTERS]
        value = option.attributes.get("value")
        value = label if value is None else value[:MAX_VALUE_CHARACTERS]
        options.setdefault(value, label)
        if selected is None or "selected" in option.attributes:
            selected = value
    return FormField(name, selected or "", tuple(options.items()))


def _label(node: LexborNode, elements: list[LexborNode]) -> str:
    """What the form calls itself: its button, or else the hint in its field."""
    attributes = [element.attributes for element in elements]
    buttons = [" ".join(element.text().split()) for element in elements if element.tag == "button"]
    buttons += [each.get("value") or "" for each in attributes if each.get("type") == "submit"]
    hints = [each.get("placeholder") or each.get("aria-label") or "" for each in attributes]
    named = [node.attributes.get("aria-label") or "", *buttons, *hints]
    return next((text[:MAX_LABEL_CHARACTERS].strip() for text in named if text), "")


def _is_search(node: LexborNode, box: FormField | None, elements: list[LexborNode]) -> bool:
    attributes = node.attributes
    if any((element.attributes.get("type") or "").lower() == "search" for element in elements):
        return True
    says = [attributes.get(name) or "" for name in ("role", "action", "id", "class")]
    return any(SEARCH.search(text) for text in [*says, box.name if box else ""] if text)


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))
