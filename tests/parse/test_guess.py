"""Pages without a label come out in the charset in which they were written. The texts are our own."""

from __future__ import annotations

import codecs
import struct

import pytest

from clew.parse import parse
from clew.parse.charset import decode
from clew.parse.guess import from_pattern

TEXTS = {
    "ar": "في الصباح خرجنا من الميناء القديم بقارب صغير له شراع أبيض. كانت الريح خفيفة والبحر هادئا، وبعد "
    "ساعتين وصلنا إلى الجزيرة. هناك شربنا الشاي عند صياد عجوز حكى لنا عن العواصف التي رآها في شبابه.",
    "bg": "Сутринта излязохме от старото пристанище с малка лодка с бяло платно. Вятърът беше слаб, а морето "
    "спокойно, и след два часа стигнахме до острова. Там пихме чай при един стар рибар, който ни "
    "разказа за бурите от младостта си.",
    "cs": "Ráno jsme vypluli ze starého přístavu na malé lodi s bílou plachtou. Vítr byl slabý a moře "
    "klidné, takže jsme za dvě hodiny dorazili na ostrov. Žije tam starý rybář, který nám vyprávěl o "
    "bouřích, jež zažil, když byl ještě mladý.",
    "de": "Am Morgen liefen wir mit einem kleinen Boot aus dem alten Hafen aus. Der Wind war schwach und die "
    "See ruhig, also erreichten wir die Insel erst nach zwei Stunden. Dort erzählte uns ein Fischer "
    "über Stürme, die er früher erlebt hätte.",
    "el": "Το πρωί βγήκαμε από το παλιό λιμάνι με μια μικρή βάρκα που είχε άσπρο πανί. Ο άνεμος ήταν ασθενής "
    "και η θάλασσα ήρεμη, και ύστερα από δύο ώρες φτάσαμε στο νησί. Εκεί ένας γέρος ψαράς μάς μίλησε "
    "για τις καταιγίδες της νιότης του.",
    "es": "Por la mañana salimos del viejo puerto en una pequeña barca de vela blanca. El viento era débil y "
    "la mar estaba en calma, así que tardamos dos horas en llegar a la isla. Allí un pescador nos "
    "habló de los temporales que vivió de niño.",
    "fr": "Le matin, nous avons quitté le vieux port sur un petit bateau à voile blanche. Le vent était "
    "faible et la mer calme, si bien que nous n'avons atteint l'île qu'après deux heures. Là, un vieux "
    "pêcheur nous a raconté les tempêtes d'été.",
    "he": "בבוקר יצאנו מהנמל הישן בסירה קטנה עם מפרש לבן. הרוח הייתה חלשה והים היה שקט, ואחרי שעתיים הגענו "
    "אל האי. שם שתינו תה אצל דייג זקן שסיפר לנו על הסערות שראה בימי נעוריו.",
    "hu": "Reggel egy kis fehér vitorlás csónakkal indultunk el a régi kikötőből. A szél gyenge volt, a "
    "tenger pedig nyugodt, így csak két óra múlva értünk a szigetre. Ott egy öreg halász mesélt nekünk "
    "azokról a viharokról, amelyeket átélt.",
    "ja": "朝、私たちは白い帆の小さな船で古い港を出ました。風は弱く、海は静かで、二時間ほどで島に着きました。"
    "島では年をとった漁師がお茶を出してくれて、若いころに見た嵐の話を聞かせてくれました。",
    "ko": "아침에 우리는 하얀 돛을 단 작은 배를 타고 오래된 항구를 떠났습니다. 바람은 약하고 바다는 잔잔해서 "
    "두 시간 뒤에야 섬에 닿았습니다. 그곳에서 늙은 어부가 차를 내주며 젊은 시절에 본 폭풍 이야기를 "
    "들려주었습니다.",
    "lt": "Ryte mes išplaukėme iš senojo uosto maža valtimi su balta bure. Vėjas buvo silpnas, o jūra rami, "
    "todėl salą pasiekėme tik po dviejų valandų. Ten senas žvejys mums pasakojo apie audras, kurias "
    "matė, kai dar buvo jaunas žmogus.",
    "pl": "Rano wypłynęliśmy ze starego portu małą łódką z białym żaglem. Wiatr był słaby, a morze spokojne, "
    "więc dopłynęliśmy na wyspę dopiero po dwóch godzinach. Tam stary rybak opowiadał nam o burzach, "
    "które przeżył, gdy był jeszcze młody.",
    "ru": "Утром мы вышли из старой гавани на маленькой лодке с белым парусом. Ветер был слабый, а море "
    "спокойное, и через два часа мы добрались до острова. Там мы пили чай у старого рыбака, который "
    "рассказал нам о бурях своей молодости.",
    "th": "ตอนเช้าเราออกจากท่าเรือเก่าด้วยเรือลำเล็กที่มีใบเรือสีขาว ลมพัดเบาและทะเลสงบ สองชั่วโมงต่อมาเราก็ถ"
    "ึงเกาะ ที่นั่นชาวประมงแก่คนหนึ่งชงชาให้เราดื่ม และเล่าเรื่องพายุที่เขาเคยเห็นเมื่อครั้งยังหนุ่ม",
    "tr": "Sabahleyin beyaz yelkenli küçük bir kayıkla eski limandan ayrıldık. Rüzgâr hafif, deniz sakindi; "
    "bu yüzden adaya ancak iki saat sonra ulaştık. Orada yaşlı bir balıkçı bize çay verdi ve "
    "gençliğinde gördüğü fırtınaları anlattı.",
    "uk": "Уранці ми вийшли зі старої гавані на маленькому човні з білим вітрилом. Вітер був слабкий, а море "
    "спокійне, і за дві години ми дісталися острова. Там ми пили чай у старого рибалки, який розповів "
    "нам про бурі своєї юності, їх було багато.",
    "zh": "早上，我们乘着一条白帆的小船离开了老港口。风很小，海面也很平静，两个小时以后我们才到岛上。在那里，"
    "一位老渔民请我们喝茶，还给我们讲了他年轻时见过的风暴。",
    "zh-tw": "早上，我們乘著一條白帆的小船離開了老港口。風很小，海面也很平靜，兩個小時以後我們才到島上。在那裡，"
    "一位老漁民請我們喝茶，還給我們講了他年輕時見過的風暴。",
}
UNLABELLED = [
    *[("ru", "cp1251"), ("ru", "koi8-r"), ("ru", "iso8859-5"), ("uk", "koi8-u"), ("uk", "cp1251"), ("bg", "cp1251")],
    *[("de", "cp1252"), ("fr", "iso8859-15"), ("es", "cp1252"), ("pl", "iso8859-2"), ("pl", "cp1250")],
    *[("cs", "iso8859-2"), ("cs", "cp1250"), ("hu", "iso8859-2"), ("el", "iso8859-7"), ("tr", "cp1254")],
    *[("he", "cp1255"), ("ar", "cp1256"), ("lt", "cp1257"), ("th", "cp874"), ("ja", "shift_jis"), ("ja", "euc_jp")],
    *[("zh", "gb18030"), ("zh-tw", "big5"), ("ko", "euc-kr"), ("de", "utf-16-le"), ("ja", "utf-16-be")],
]


def page(language: str) -> str:
    text = TEXTS[language]
    return f"<!doctype html><html><head><title>{text[:30]}</title></head><body><p>{text}</p></body></html>"


def test_the_table_has_27_rows() -> None:
    assert len(set(UNLABELLED)) == 27


@pytest.mark.parametrize(("language", "charset"), UNLABELLED)
def test_an_unlabelled_page(language: str, charset: str) -> None:
    assert decode(page(language).encode(charset), "text/html")[0] == page(language)


@pytest.mark.parametrize(("language", "charset"), [*UNLABELLED, ("ja", "iso2022_jp"), ("ru", "utf-16-le")])
def test_its_text_and_links_are_read(language: str, charset: str) -> None:
    doc = parse(f"{page(language)}<a href=/x>{TEXTS[language]}</a>".encode(charset), "http://a.org/", "text/html")
    assert " ".join(TEXTS[language].split()) in doc.text
    assert [link.url for link in doc.links] == ["http://a.org/x"]


@pytest.mark.parametrize(("language", "charset"), [("ko", "euc-kr"), ("zh-tw", "big5"), ("ja", "shift_jis")])
def test_a_broken_character_leaves_the_rest(language: str, charset: str) -> None:
    whole = page(language)
    text, _ = decode(whole.encode(charset) + b"<p>\xff</p>" + whole.encode(charset))
    assert text.startswith(whole)
    assert text.endswith(whole)


def test_utf8_with_something_foreign_in_it_stays_utf8() -> None:
    text, charset = decode(page("ru").encode() + b"<p>caf\xe9</p>" + page("ja").encode())
    assert charset == "utf-8"
    assert text.count("\ufffd") == 1


def test_a_single_foreign_letter_is_a_western_one() -> None:
    assert decode(b"<p>The caf\xe9 by the harbour opens at nine.")[0].endswith("café by the harbour opens at nine.")


@pytest.mark.parametrize("number", ["<h", ">h", "<i", "<d"])
def test_numbers_are_not_utf16(number: str) -> None:
    assert from_pattern(b"".join(struct.pack(number, 3 * n % 31) for n in range(300))) == ""


def test_plain_text_in_utf16() -> None:
    assert from_pattern(TEXTS["ru"].encode("utf-16-be")) == "utf-16-be"
    assert from_pattern(TEXTS["uk"].encode("utf-16-le")) == "utf-16-le"


@pytest.mark.parametrize(
    "declaration", ['<meta charset="koi8-r">', "<META http-equiv=Content-Type content='text/html; charset=koi8-r'>"]
)
def test_a_declaration_further_down_counts_if_nothing_earlier_speaks(declaration: str) -> None:
    filler = "<script>let x = 'y'</script>\n" * 100
    late = f"<head>{filler}{declaration}</head><p>{TEXTS['ru'][:20]}".encode("koi8-r")
    assert decode(late)[1] == "koi8-r"
    assert decode(late, "text/html; charset=cp1251")[1] == "cp1251"
    assert decode(b"<meta charset=cp1251>" + late)[1] == "cp1251"
    assert decode(codecs.BOM_UTF8 + late)[1] == "utf-8"


@pytest.mark.parametrize(
    "mention",
    [
        "<!-- <meta charset=koi8-r> -->",
        "<script>document.write('<meta charset=koi8-r>')</script>",
        "<textarea><meta charset=koi8-r></textarea>",
        "<meta name=description content='charset=koi8-r'>",
        "<p>write charset=koi8-r",
    ],
)
def test_what_only_mentions_a_charset_far_down_does_not_declare_it(mention: str) -> None:
    assert decode(b"<p>" + b"x " * 1000 + mention.encode())[1] == "utf-8"


def test_a_declaration_across_the_end_of_the_prescan_counts() -> None:
    assert decode(b" " * 1010 + b'<meta charset="koi8-r">')[1] == "koi8-r"
