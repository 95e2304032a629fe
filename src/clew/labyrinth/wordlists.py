"""The vocabulary of the labyrinth: a taxonomy with the words of each topic, and the words of advertisements.

A line names a topic by its path and lists the words that texts about it use, the most frequent ones first.
No word belongs to two topics, so counting words tells the topics apart.
"""

from __future__ import annotations

import re
from typing import Final

TOPICS: Final = """
sports: sports athlete stamina champion medal coach competition fitness
sports/water sports: boat water paddle tide coast harbour lifejacket splash
sports/water sports/sailing: sailing yacht regatta sail skipper mast keel rudder spinnaker jib mainsail
  halyard tiller catamaran dinghy helmsman tacking gybe windward leeward boom genoa rigging anchorage
  mooring knots marina cleat winch buoy nautical sloop ketch schooner starboard stern hull sheets
sports/water sports/surfing: surfing surfer surfboard swell longboard shortboard barrel reef wetsuit lineup
  wipeout leash fins breaker pointbreak duckdive takeoff cutback floater aerial wax whitewater sandbar
  offshore onshore bodyboard kneeboard groundswell grommet goofy stoke thruster closeout rashguard quiver
  undertow
sports/water sports/rowing: rowing rower oar scull sculling coxswain crew eights coxless blade stroke catch
  ergometer oarlock rigger slide seatrace boathouse shell bowside strokeside sweep gunwale backsplash
  cadence headrace quadruple pair drive feathering puddle repechage stretcher
sports/mountain sports: mountain summit altitude slope ridge valley backpack weather
sports/mountain sports/climbing: climbing climber rope harness carabiner belay bouldering crag piton chalk
  handhold foothold overhang abseil rappel anchor quickdraw crampon crux dihedral chimney slab arete beta
  flash redpoint onsight topout crimp jug sloper pinch gneiss bivouac fingerboard
sports/mountain sports/skiing: skiing skier ski snow piste slalom powder binding poles downhill mogul
  chairlift gondola snowplough carving edges telemark avalanche goggles offpiste freestyle halfpipe biathlon
  giantslalom superg gates toboggan basecamp groomer schuss apres helmet lift salopettes kicker cornice
sports/mountain sports/hiking: hiking hiker trail footpath boots waymark ramble trekking trek hut blister
  compass cairn switchback trailhead signpost campsite tent stove canteen gaiters rucksack wilderness
  overlook viewpoint thruhike bothy stile moorland heath daypack itinerary campfire foothills
science: science research theory laboratory experiment hypothesis professor measurement
science/astronomy: astronomy sky orbit star galaxy solar observatory lightyear
science/astronomy/comets: comets comet coma nucleus perihelion tail aphelion dust ice sublimation meteor
  shower halley oort kuiper ephemeris eccentricity apparition magnitude sungrazer outgassing ejecta flyby
  probe rosetta debris cyanogen dustgrain discoverer longperiod shortperiod antitail brightening dusttail
  volatiles
science/astronomy/planets: planets planet moon saturn jupiter mars venus mercury neptune uranus rings crater
  atmosphere exoplanet transit rover lander satellite terrestrial gasgiant habitable axis tilt magnetosphere
  storm titan europa io ganymede callisto phobos regolith polarcap obliquity
science/astronomy/telescopes: telescopes telescope mirror lens eyepiece refractor reflector aperture focal
  dobsonian mount finderscope collimation seeing barlow binoculars cassegrain newtonian tripod equatorial
  stargazer astrograph filter dome altazimuth spectrograph interferometer diffraction resolution prism
  starlight lightpollution occultation
science/earth science: earth geology crust continent sediment erosion rock survey
science/earth science/volcanoes: volcanoes volcano lava eruption magma ash caldera pyroclastic vent fumarole
  basalt pumice obsidian cone stratovolcano shieldvolcano plume tephra lahar hotspot seismograph tremor
  fissure scoria geyser vesuvius etna krakatoa rhyolite andesite pahoehoe evacuation ashfall sulphur
science/earth science/glaciers: glaciers glacier moraine crevasse icefall iceberg firn meltwater calving
  cirque esker drumlin icecap icesheet ablation accumulation serac fjord erratic permafrost bergschrund
  nunatak snowline tarn outwash kettle retreat thaw icecore glaciology till striation tidewater subglacial
science/earth science/minerals: minerals mineral crystal quartz feldspar gem hardness cleavage mica calcite
  pyrite gypsum amethyst topaz garnet emerald ruby ore vein luster geode agate fluorite specimen tourmaline
  hematite malachite beryl opal corundum mohs lapidary zeolite prospecting
arts: arts artist gallery exhibition festival audience creative studio
arts/music: music concert melody rhythm song orchestra album stage
arts/music/jazz: jazz saxophone trumpet swing improvisation bebop trio quartet solo blues bigband trombone
  syncopation bassist drummer pianist bandleader ragtime scat groove jam bop cooljazz standards chorus
  comping fusion nightclub dixieland clarinet vibraphone riff brushes walkingbass
arts/music/opera: opera aria soprano tenor libretto baritone overture mezzo conductor diva recitative duet
  verdi puccini wagner mozart rossini premiere operahouse coloratura vibrato encore act finale prompter
  surtitles cadenza bizet leitmotif castrato operetta divertimento intermezzo
arts/music/guitar: guitar guitarist strings fret chord fretboard amplifier strumming capo tuning fingerstyle
  acoustic luthier arpeggio pickup headstock nylon tablature bridge bending tremolo distortion pedal barre
  plectrum telecaster stratocaster flamenco ukulele soundhole rosewood humbucker tapping
arts/crafts: crafts workshop handmade pattern tool craftsman hobby material
arts/crafts/pottery: pottery potter clay kiln glaze wheel ceramic stoneware porcelain earthenware raku
  firing bisque vase bowl throwing slip wedging coil pinchpot celadon terracotta engobe sgraffito oxide
  trimming teapot mug slipcast crackle sherd saltfiring greenware burnish
arts/crafts/weaving: weaving weaver loom warp weft yarn shuttle tapestry thread heddle treadle twill wool
  spindle spinning fibre linen selvedge bobbin brocade damask carpet textile dyeing skein indigo plainweave
  fringe rug sley backstrap cotton ikat
arts/crafts/woodwork: woodwork carpenter joinery chisel plane saw dovetail mortise tenon lathe plank timber
  veneer sandpaper oak walnut maple clamp workbench mallet grain varnish turning router hinge drawer cabinet
  rasp spokeshave dowel bandsaw beeswax pine birch
living: living home family weekend comfort tradition market seasonal
living/food: food recipe kitchen taste flavour ingredient cook meal
living/food/bread: bread dough flour sourdough yeast baker oven loaf crumb rye baguette kneading leaven
  proofing wheat spelt starter gluten hydration bakery scoring ciabatta focaccia rolls wholemeal poolish
  brioche bagel pretzel banneton toast pumpernickel semolina levain
living/food/cheese: cheese milk rennet curd whey cheddar gouda brie camembert rind goat dairy creamery
  ripening parmesan feta mozzarella ricotta cave affineur brine cheesemaker emmental gruyere roquefort
  stilton raclette fondue halloumi pasture ewe pecorino cheesecloth
living/food/coffee: coffee espresso bean roast barista arabica brew grinder latte cappuccino crema robusta
  cup caffeine roaster portafilter frothing aeropress chemex cupping decaf mocha macchiato plantation
  percolator tamper extraction aroma cortado ristretto lungo moka drip
living/gardening: garden soil plant seed compost sprinkler blossom spade
living/gardening/roses: roses rose bush petal pruning thorn bud floribunda hybridtea rambler fragrance
  blackspot mildew rosebed rootstock deadheading bloom rosarian cultivar cane bouquet rosehip trellis shrub
  aphid mulch bareroot arbor noisette musk gallica pergola
living/gardening/beekeeping: beekeeping beekeeper bees hive honey queen swarm drone apiary smoker brood comb
  varroa nectar pollen worker frame super foundation veil propolis mead honeycomb requeening extractor
  forage waggle royaljelly skep colony uncapping nuc langstroth stinger
living/gardening/orchards: orchards orchard apple pear cherry plum fruit harvest cider scion espalier quince
  windfall picking pomology pollinator apricot peach codling press ladder bramley pippin russet medlar
  damson pome grafted whip canker orchardist crate
technology: technology inventor machine design device innovation industry prototype
technology/computing: computer software program code data algorithm developer processor
technology/computing/databases: databases database query index table transaction sql schema join replication
  shard key backup column relational normalization commit rollback postgres sqlite cursor trigger view btree
  isolation deadlock nosql warehouse constraint migration tuple latency acid vacuum
technology/computing/robotics: robotics robot sensor actuator gripper servo manipulator kinematics
  autonomous lidar humanoid torque odometry waypoint mapping slam encoder automaton teleoperation
  exoskeleton effector gyroscope quadruped gait obstacle ros motor android assembly cobot haptics swarmbot
technology/computing/cryptography: cryptography cipher encryption decryption plaintext ciphertext signature
  hash prime elliptic curve rsa aes nonce enigma cryptanalysis secret protocol modulus padding steganography
  certificate entropy keystream blockcipher authentication diffie hellman salt bruteforce randomness
  permutation
technology/transport: transport vehicle route passenger station timetable speed engine
technology/transport/railways: railways railway train locomotive steam track carriage signal gauge platform
  tunnel wagon junction freight tram shunting boiler electrification footplate points driver viaduct
  narrowgauge monorail bogie buffer tender semaphore depot stationmaster railcar diesel
technology/transport/bicycles: bicycles bicycle bike cyclist cycling handlebar saddle gears derailleur
  spokes tyre chain brake crankset pannier velodrome peloton tandem fixie rim freewheel commuter puncture
  headset cassette bell recumbent mudguard dropbar sprocket roadbike cyclocross innertube
technology/transport/aviation: aviation aircraft pilot airplane cockpit runway wing glider propeller flight
  altimeter aileron flaps fuselage turbulence airport hangar biplane taxiway airspeed jet helicopter
  autopilot undercarriage airfield stall thrust aerobatics seaplane turboprop navigator airliner aerodrome
"""

ADVERTS: Final = """
offer discount voucher bonus deal price cheap subscribe newsletter promotion cashback coupon jackpot casino
giveaway insurance loan credit shopping basket checkout bestseller sale clearance wholesale sponsor advert
click winner prize membership trial gadget celebrity horoscope quiz gossip lottery delivery refund
"""


def _read(text: str) -> dict[str, tuple[str, ...]]:
    # An indented line continues the one before.
    lines = re.sub(r"\n  ", " ", text).strip().splitlines()
    pairs = (line.split(":", 1) for line in lines)
    return {path: tuple(words.split()) for path, words in pairs}


NOISE: Final = tuple(ADVERTS.split())
WORDS: Final = _read(TOPICS)
LEAVES: Final = tuple(path for path in WORDS if path.count("/") == 2)
GENERAL: Final = len(LEAVES)  # the topic of pages about nothing in particular
ADS: Final = GENERAL + 1  # the topic of noise hosts
PATHS: Final = {path.rpartition("/")[2]: path for path in WORDS}


def siblings(leaf: int) -> list[int]:
    """The other leaves below the same parent.

    >>> [LEAVES[i].split("/")[-1] for i in siblings(0)]
    ['surfing', 'rowing']
    """
    parent = LEAVES[leaf].rpartition("/")[0]
    return [i for i, path in enumerate(LEAVES) if path.rpartition("/")[0] == parent and i != leaf]
