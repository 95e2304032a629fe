"""Everyday vocabulary of the web in English and German: counter-examples for topics learned from examples."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from clew.text.terms import terms
from clew.types import Doc

# Each line covers one everyday subject and becomes one counter-example.
ENGLISH: Final = (
    "home page welcome site contact about us email address phone search menu help privacy policy terms "
    "copyright rights reserved login register account password cookie settings share print next previous "
    "back top",
    "news today yesterday report government president minister election party vote law court police city "
    "council country war peace budget tax public people crisis statement press media interview",
    "company business market price product service customer order shop cart payment delivery offer sale "
    "quality team job career manager sales office partner industry bank money share profit",
    "family child mother father friend home house garden kitchen room life love story day night morning "
    "week year birthday wedding school dog cat toy present holiday",
    "recipe food cook dinner bread cheese meat vegetable fruit sugar salt water oil oven minute taste "
    "restaurant wine coffee tea cake butter egg soup",
    "health doctor hospital patient disease medicine treatment body pain blood heart sleep exercise diet "
    "risk study symptom care nurse drug cancer skin",
    "computer software file program download version windows internet web server data code system user "
    "network screen keyboard error update install support link list text image",
    "university student research science paper professor lecture course study book library theory result "
    "method analysis experiment department institute journal conference degree",
    "music film movie song band concert album actor show theatre art artist painting museum photo picture "
    "gallery video television star festival dance play",
    "football game player team season win match league goal score coach champion race ball club sport run "
    "tournament medal fan stadium",
    "travel hotel trip flight airport train bus car road map beach island mountain city tour guide visit "
    "tourist booking ticket summer weather rain sun wind",
    "history century king queen empire church castle ancient village river land people culture language "
    "religion god tradition world north south east west",
    "car engine wheel drive motor repair tool machine metal wood paint build construction house roof wall "
    "floor window door light power energy battery",
    "nature animal bird fish tree forest plant flower leaf sea lake river climate earth species wild "
    "water soil farm field park green",
    "fashion dress shoe shirt colour black white red blue size style hair beauty skin face wear bag watch "
    "gold jewellery design model",
    "question answer forum post comment reply member message topic thread blog author written date read "
    "more article category tag archive subscribe newsletter",
)
GERMAN: Final = (
    "startseite willkommen kontakt impressum datenschutz anfahrt suche hilfe anmelden passwort seite "
    "weiter zurück drucken teilen telefon adresse agb newsletter cookies einstellungen",
    "nachrichten regierung minister wahl partei gesetz gericht polizei stadt land bund bürger politik "
    "krise krieg frieden steuer zeitung bericht presse bundestag",
    "unternehmen firma markt preis produkt kunde bestellung warenkorb zahlung versand angebot qualität "
    "mitarbeiter arbeit stelle beruf bank geld kosten büro",
    "familie kind mutter vater freund haus garten küche zimmer leben liebe geschichte tag nacht woche "
    "jahr geburtstag hochzeit schule hund katze ferien",
    "rezept essen kochen brot käse fleisch gemüse obst zucker salz wasser öl ofen minuten geschmack "
    "restaurant wein kaffee kuchen butter suppe",
    "gesundheit arzt krankenhaus patient krankheit medizin behandlung körper schmerz blut herz schlaf "
    "bewegung studie pflege apotheke haut",
    "rechner software datei programm herunterladen version internet netz server daten system benutzer "
    "bildschirm fehler version text bild verweis",
    "universität student forschung wissenschaft professor vorlesung studium buch bibliothek theorie "
    "ergebnis methode institut tagung fakultät",
    "musik film lied konzert schauspieler theater kunst künstler museum foto bild ausstellung fernsehen "
    "festival tanz bühne verein",
    "fußball spiel spieler mannschaft saison sieg liga tor trainer meister rennen ball verein sport "
    "stadion turnier punkt",
    "reise hotel urlaub flug bahnhof zug bus auto straße karte strand insel berg wandern führung gast "
    "unterkunft ferienwohnung sommer wetter regen sonne",
    "jahrhundert könig kirche burg schloss dorf fluss volk kultur sprache religion tradition welt norden "
    "süden osten westen denkmal",
    "motor rad fahrzeug werkstatt werkzeug maschine metall holz farbe bau dach wand boden fenster tür "
    "licht strom energie heizung",
    "natur tier vogel fisch baum wald pflanze blume blatt meer see klima erde art wasser boden feld park umwelt",
    "frage antwort forum beitrag kommentar mitglied nachricht thema autor datum artikel kategorie archiv "
    "lesen mehr abonnieren",
)


@lru_cache(maxsize=1)
def background() -> tuple[Doc, ...]:
    """One document per line of vocabulary.

    >>> len(background()) > 20, background()[1].terms["news"]
    (True, 1)
    """
    english = [Doc(url="", text=text, terms=terms(text, "en"), language="en") for text in ENGLISH]
    german = [Doc(url="", text=text, terms=terms(text, "de"), language="de") for text in GERMAN]
    return (*english, *german)
