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

STOP_WORDS: Final[dict[str, frozenset[str]]] = {
    "en": frozenset(ENGLISH.split()),
    "de": frozenset(GERMAN.split()),
}
