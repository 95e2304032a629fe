"""Two taxonomies with the words of each topic: what people do, and where they do it.

As in `wordlists`, a line names a topic by its path and lists the words that texts about it use, and no word belongs to
two topics. The branch from sailing to tourism and that of Rügen are those of the Ariadne paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

ACTIVITY_LINES: Final = """
tourism: tourism tourist sightseeing holidaymaker
tourism/sports: sports athlete trainer tournament
tourism/sports/water sports: watersports lagoon wetsuit paddle
tourism/sports/water sports/sailing: sailing yacht regatta skipper mast rudder dinghy jib
tourism/sports/water sports/surfing: surfing surfer surfboard windsurfer swell kitesurfing breaker
tourism/sports/water sports/diving: diving diver snorkel scuba reef regulator shipwreck
tourism/sports/land sports: landsports endurance fairplay stadium
tourism/sports/land sports/hiking: hiking hiker trail rucksack waymark trekking footpath
tourism/sports/land sports/cycling: cycling cyclist bicycle saddlebag handlebar velodrome tandem
tourism/sports/land sports/riding: riding horseback stable stirrup pony gallop bridle
tourism/culture: culture heritage folklore exhibition
tourism/culture/sights: sights landmark monument viewpoint
tourism/culture/sights/castles: castles castle moat drawbridge rampart turret dungeon
tourism/culture/sights/lighthouses: lighthouses lighthouse beacon foghorn lantern keeper fresnel
tourism/culture/sights/gardens: gardens arboretum rosebed hedgerow topiary greenhouse orangery
tourism/culture/stage: stage performance rehearsal applause
tourism/culture/stage/opera: opera soprano aria libretto tenor overture baritone
tourism/culture/stage/jazz: jazz saxophone swing trumpeter improvisation quartet bebop
tourism/culture/stage/ballet: ballet ballerina pirouette choreography tutu barre arabesque
tourism/stay: stay hospitality reservation overnight
tourism/stay/lodging: lodging bedroom reception vacancies
tourism/stay/lodging/hotels: hotels hotel suite concierge porter minibar lobby
tourism/stay/lodging/campsites: campsites campsite tent caravan campfire pitch motorhome
tourism/stay/lodging/hostels: hostels hostel dormitory bunk backpacker locker dorm
tourism/stay/dining: dining menu waiter kitchen
tourism/stay/dining/seafood: seafood herring lobster oyster mussel crab turbot
tourism/stay/dining/bakeries: bakeries bakery bread pastry sourdough croissant oven
tourism/stay/dining/wineries: wineries winery vineyard grape cellar vintage cork
economy: economy turnover export employment
economy/production: production output supplier workforce
economy/production/farming: farming farmer tractor harvest
economy/production/farming/dairy: dairy milk cheese cow butter churn heifer
economy/production/farming/grain: grain wheat barley rye thresher combine silo
economy/production/farming/orchards: orchards orchard apple cherry pear plum graft
economy/production/industry: industry factory machinery assembly
economy/production/industry/shipyards: shipyards shipyard drydock welder slipway riveter hull
economy/production/industry/breweries: breweries brewery beer hops malt brewer lager
economy/production/industry/quarries: quarries quarry limestone gravel granite excavator slate
"""

REGION_LINES: Final = """
Mecklenburg-Vorpommern: mecklenburg vorpommern pomerania schwerin
Mecklenburg-Vorpommern/Ruegen: ruegen binz sassnitz sellin putbus
Mecklenburg-Vorpommern/Hiddensee: hiddensee vitte neuendorf dornbusch grieben
Mecklenburg-Vorpommern/Usedom: usedom heringsdorf ahlbeck zinnowitz peenemuende
Mecklenburg-Vorpommern/Mueritz: mueritz roebel klink rechlin malchow
Bavaria: bavaria bavarian munich isar
Bavaria/Chiemsee: chiemsee prien gstadt seebruck herreninsel
Bavaria/Allgaeu: allgaeu kempten fuessen oberstdorf sonthofen
Bavaria/Franconia: franconia nuremberg bamberg wuerzburg coburg
Bavaria/Spessart: spessart lohr aschaffenburg mespelbrunn gemuenden
Brittany: brittany breton rennes armorica
Brittany/Finistere: finistere brest quimper concarneau roscoff
Brittany/Morbihan: morbihan vannes lorient carnac quiberon
Brittany/Emeraude: emeraude cancale dinard saintmalo fougeres
Brittany/Tregor: tregor lannion paimpol perros treguier
Tuscany: tuscany tuscan florence arno
Tuscany/Chianti: chianti greve radda gaiole castellina
Tuscany/Maremma: maremma grosseto orbetello pitigliano saturnia
Tuscany/Elba: elba portoferraio marciana capoliveri rioelba
Tuscany/Garfagnana: garfagnana barga castelnuovo vagli serchio
Wales: wales welsh cardiff cymru
Wales/Gower: gower mumbles rhossili oxwich llangennith
Wales/Anglesey: anglesey holyhead beaumaris menai llangefni
Wales/Snowdonia: snowdonia llanberis betws beddgelert bala
Wales/Pembroke: pembroke tenby fishguard solva narberth
Norway: norway norwegian oslo fjord
Norway/Lofoten: lofoten svolvaer reine henningsvaer leknes
Norway/Telemark: telemark skien rjukan bo kragero
Norway/Hardanger: hardanger odda eidfjord ulvik kinsarvik
Norway/Finnmark: finnmark alta hammerfest kirkenes vadso
"""


def _read(text: str) -> dict[str, tuple[str, ...]]:
    pairs = (line.split(":", 1) for line in text.strip().splitlines())
    return {path: tuple(words.split()) for path, words in pairs}


def _name(path: str) -> str:
    return path.rpartition("/")[2]


ACTIVITY_PATHS: Final = _read(ACTIVITY_LINES)
REGION_PATHS: Final = _read(REGION_LINES)
WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    _name(path): words for path, words in (ACTIVITY_PATHS | REGION_PATHS).items()
}
PARENTS: Final[Mapping[str, str]] = {
    _name(path): _name(path.rpartition("/")[0]) for path in (*ACTIVITY_PATHS, *REGION_PATHS)
}
"""The parent of each topic; "" for the topmost ones."""
ACTIVITIES: Final = tuple(_name(path) for path in ACTIVITY_PATHS if path.count("/") == 3)
REGIONS: Final = tuple(_name(path) for path in REGION_PATHS if path.count("/") == 1)


def upwards(topic: str) -> Iterator[str]:
    """The topic itself, then its ancestors.

    >>> list(upwards("sailing"))
    ['sailing', 'water sports', 'sports', 'tourism']
    """
    while topic:
        yield topic
        topic = PARENTS[topic]


def leaves_below(topic: str) -> list[str]:
    """The special topics of a branch; those of "" are all activities.

    >>> leaves_below("water sports")
    ['sailing', 'surfing', 'diving']
    """
    if not topic:
        return list(ACTIVITIES)
    return [leaf for leaf in (*ACTIVITIES, *REGIONS) if topic in upwards(leaf)]
