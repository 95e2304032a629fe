"""Stop words by language: function words that say nothing about the subject of a text."""

from __future__ import annotations

from typing import Final

ENGLISH: Final = """
a about above across after again against all almost along already also although always am among an and
another any anybody anyone anything are around as at away be became because become becomes been before
behind being below between both but by can cannot could did do does doing done down during each either
else enough etc even ever every everybody everyone everything except few for from further had has have
having he hence her here hers herself him himself his how however if in indeed into is it its itself just
least less many may me might more most much must my myself neither never nevertheless no nobody none nor
not nothing now of off often on once one only onto or other others otherwise our ours ourselves out over
own per perhaps quite rather same shall she should since so some somebody somehow someone something
sometimes still such than that the their theirs them themselves then there therefore these they this
those though through throughout thus to together too toward towards under until unto up upon us very via
was we were what whatever when where whereas whether which while who whoever whom whose why will with
within without would yet you your yours yourself yourselves ain aren couldn didn doesn don hadn hasn
haven isn ll mustn re shan shouldn ve wasn weren wouldn
"""

GERMAN: Final = """
ab aber alle allem allen aller allerdings alles als also am an ander andere anderem anderen anderer
anderes anders auch auf aus außer bei beide beiden beim bereits bevor bin bis bist da dabei dadurch dafür
dagegen daher damit danach daneben dann daran darauf daraus darin darüber darum darunter das dass daß
davon davor dazu dein deine deinem deinen deiner dem demnach den denen denn dennoch der deren derer des
deshalb dessen desto dich die dies diese diesem diesen dieser dieses dir doch dort du durch dürfen darf
eben ebenso ein eine einem einen einer eines einige einigem einigen einiger einiges einmal er es etwa
etwas euch euer eure eurem euren eurer falls fast für gar gegen gegenüber hab habe haben habt hat hatte
hatten hätte hätten hier hierbei hiermit hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im
immer in indem innerhalb ins irgend ist ja je jede jedem jeden jeder jedes jedoch jene jenem jenen jener
jenes jetzt kann kannst kaum kein keine keinem keinen keiner keines können könnte könnten man manche
manchem manchen mancher manches mehr mein meine meinem meinen meiner mich mir mit möchte mögen muss muß
müssen musste mussten nach nachdem nämlich neben nein nicht nichts nie noch nun nur ob obwohl oder oft
ohne schon sehr sei seid sein seine seinem seinen seiner seines seit sich sie sind so sobald sodass
sofern sogar solche solchem solchen solcher solches soll sollen sollte sollten somit sondern sonst sowie
sowohl statt trotz über überhaupt um und uns unser unsere unserem unseren unserer unter viel viele vielen
vieler vom von vor während wann war waren warst warum was weder weil weiter weitere weiteren welche
welchem welchen welcher welches wenig wenige weniger wenn wer werde werden werdet wem wen wessen wegen
weshalb wie wieder will wir wird wirst wo wobei wodurch wofür wohl wollen worden wurde wurden würde
würden zu zum zur zwar zwischen
"""

FRENCH: Final = """
ai aie aient ait alors au aucun aucune aujourd auquel aura aurait aussi autre autres aux auxquels avaient
avais avait avant avec avez avoir avons ayant bien car ce ceci cela celle celles celui cependant ces cet
cette ceux chacun chaque chez ci comme comment contre dans de depuis derrière des dès desquels dessous
dessus deux devant doit donc dont du durant elle elles en encore entre es est et étaient étais était
étant été être eu eux fait faire fois font fut hors hui ici il ils je jusqu jusque la là laquelle le
lequel les lesquels leur leurs lors lorsque lui ma mais malgré me même mêmes mes moi moins mon ne ni nos
notre nous on ont or ou où par parce parmi pas pendant peu peut peuvent plus plusieurs plutôt pour
pourquoi puis puisque qu quand que quel quelle quelles quelque quelques quels qui quoi sa sans sauf se
selon sera serait seront ses seulement si sinon soi soit sommes son sont sous suis sur ta tandis tant te
tel telle telles tels tes toi ton toujours tous tout toute toutefois toutes très trop tu un une vers
voici voilà vos votre vous
"""

SPANISH: Final = """
acá ahí al algo alguien algún alguna algunas alguno algunos allá allí ambos ante antes aquel aquella
aquellas aquello aquellos aquí así aun aún aunque bajo bien cada casi como cómo con conmigo contra cual
cuál cuales cualquier cuando cuándo cuanto cuya cuyo de del demás desde después donde dónde dos durante
el él ella ellas ello ellos en entonces entre era eran eres es esa esas ese eso esos esta está están
estaba estaban estamos estar estas este esto estos estoy fue fueron ha había habían haber hace hacen
hacer hacia han has hasta hay he hemos incluso ir jamás junto la las le les lo los luego más me menos mi
mí mis mientras mismo misma mismos mucho muchos muy nada ni ningún ninguna ninguno no nos nosotros
nuestra nuestras nuestro nuestros nunca os otra otras otro otros para pero poco pocos por porque pues
puede pueden que qué quien quién quienes se sea sean según ser será si sí sido sin sino sobre solo sólo
somos son soy su sus suya suyo tal tales también tampoco tan tanto te tenemos tener tiene tienen toda
todas todavía todo todos tras tu tú tus un una unas uno unos usted ustedes va vamos van varios vez
vosotros ya yo
"""

RUSSIAN: Final = """
без более больше бы был была были было быть вам вас весь во вот все всё всего всех вы где да даже для до
его ее её ей если есть еще ещё же за здесь из или им иногда их как какая какие какой когда кто куда ли
либо лишь между меня много может можно мой мы на над надо нам нас наш не него нее неё ней нельзя
несколько нет ни нибудь никогда ним них ничего но ну об один однако он она они оно от очень перед по под
пока после потому почти при про раз сам свой своих себе себя сейчас со среди так также такие такой там те
тем теперь то тогда того тоже той только том тот ту ты уж уже хотя чего чей чем через что чтобы чуть эта
эти этим этих это этого этой этом этот эту является
"""

ITALIAN: Final = """
ad agli ai al alla alle allo altra altre altri altro anche ancora avere aveva avevano che chi ci ciò coi
col come con contro cosa così cui da dagli dai dal dalla dalle dallo degli dei del dell della delle dello
dentro di dopo dove due ed ecco era erano essere fa fino fra fu gli ha hanno ho il in infatti io la là le
lei li lo loro lui ma me mentre mi mia mio molto ne nei nel nell nella nelle nello noi non nostra nostro
ogni oltre per perché però più poi prima può qua quale quali quando quanto quella quelle quelli quello
questa queste questi questo qui quindi se sé sei senza si sia siamo siano solo sono sopra sotto sta stata
stati stato su sua sue sui sul sulla sulle suo suoi tra tu tutta tutte tutti tutto un una uno vi voi
"""

PORTUGUESE: Final = """
ao aos aquela aquelas aquele aqueles aquilo as às até cada com como da das de dela delas dele deles
depois do dos ela elas ele eles em entre era eram essa essas esse esses esta está estamos estão estar
estas estava este estes eu foi foram há isso isto já la lhe lhes lo mais mas me mesmo meu meus minha
muito na não nas nem no nos nós nossa nosso num numa onde os ou outra outras outro outros para pela pelas
pelo pelos pode podem por porque qual quando que quem são se sem sempre ser será seu seus só sobre sua
suas também tão te tem têm tinha toda todas todo todos tu tua tudo um uma umas uns você vocês
"""

# Pairs of characters, as `unspaced` takes them: endings, particles and other function words.
JAPANESE: Final = """
ある あり いた いて いう いる うな うに えば おり および よび かし かつ から かれ がら くだ くて けど
けれ ここ こと この これ ころ さい され さん しか した して しま する すが すの すべ せん そう その それ
たい ため たり だけ だし だっ っと った って つい てい てお てく てし ての ては ても てる でい でき です
での では でも とい とき とか とし との とは とも ない なお なか なく なけ なし など なら なる なの なり
なっ にお にし につ にな には にも によ ねば のか のが ので のに のは のよ ばな べき べて ほど ます まし
まで また まっ まり まれ もの やす よう より よっ らは らの られ りま りも る場 るこ るた ると るの るよ
れて れば れら れる れま ろう わる わり んだ んで
"""

CHINESE: Final = """
一个 一些 一样 一种 不会 不同 不是 不能 之一 之间 也可 也是 了一 于是 什么 他们 以及 以后 以前 但是 你们
个人 其中 其他 其它 再次 几个 可以 可能 各种 同时 因为 因此 在这 多个 她们 如何 如果 如此 它们 对于 就是
已经 并且 并不 当然 怎么 我们 或者 所以 所有 时候 是一 是在 最后 有些 有关 有的 来说 没有 然后 然而 由于
的一 的是 的话 看到 虽然 许多 还是 还有 这个 这些 这样 这种 这里 进行 通过 那个 那么 那些 那里 都是 都会
里面 除了 非常
"""

STOP_WORDS: Final[dict[str, frozenset[str]]] = {
    "en": frozenset(ENGLISH.split()),
    "de": frozenset(GERMAN.split()),
    "es": frozenset(SPANISH.split()),
    "fr": frozenset(FRENCH.split()),
    "it": frozenset(ITALIAN.split()),
    "ja": frozenset(JAPANESE.split()),
    "pt": frozenset(PORTUGUESE.split()),
    "ru": frozenset(RUSSIAN.split()),
    "zh": frozenset(CHINESE.split()),
}
