package main

// rules are the public holidays of whole countries, by line: country, rule, name. A rule is
//
//	05-01          a date of each year
//	2024-10-01     a date of one year
//	3mon01         the third Monday of January; lastmon05 the last of May
//	mon<05-25      the Monday before 25 May
//	easter-2       by the western Easter; pascha+1 by the eastern
//	@lny+1         by a table below
//
// [2026-] and [-2026] after it bound its years. A mark says what becomes of a holiday that
// is no gain: ~mon one on a Saturday, a Sunday or another holiday moves to the next
// weekday that is none; ~sun likewise, but one on a Saturday stays; ~us one on a Saturday is
// also on the Friday before, one on a Sunday on the Monday after. The first day stays a
// holiday.
const rules = `
US 01-01~us New Year's Day
US 3mon01 Martin Luther King Jr. Day
US 3mon02 Washington's Birthday
US lastmon05 Memorial Day
US 06-19~us Juneteenth
US 07-04~us Independence Day
US 1mon09 Labor Day
US 2mon10 Columbus Day
US 11-11~us Veterans Day
US 4thu11 Thanksgiving Day
US 12-25~us Christmas Day
CA 01-01~mon New Year's Day
CA easter-2 Good Friday
CA mon<05-25 Victoria Day
CA 07-01~mon Canada Day
CA 1mon09 Labour Day
CA 09-30~mon National Day for Truth and Reconciliation
CA 2mon10 Thanksgiving
CA 11-11~mon Remembrance Day
CA 12-25~mon Christmas Day
CA 12-26~mon Boxing Day
MX 01-01 New Year's Day
MX 1mon02 Constitution Day
MX 3mon03 Benito Juárez's Birthday
MX 05-01 Labour Day
MX 09-16 Independence Day
MX 2024-10-01 Inauguration Day
MX 2030-10-01 Inauguration Day
MX 3mon11 Revolution Day
MX 12-25 Christmas Day
BR 01-01 New Year's Day
BR easter-2 Good Friday
BR 04-21 Tiradentes
BR 05-01 Labour Day
BR 09-07 Independence Day
BR 10-12 Our Lady of Aparecida
BR 11-02 All Souls' Day
BR 11-15 Republic Day
BR 11-20 Black Awareness Day
BR 12-25 Christmas Day
PA 01-01~sun New Year's Day
PA 01-09~sun Martyrs' Day
PA easter-47 Carnival
PA easter-2 Good Friday
PA 05-01~sun Labour Day
PA 2024-07-01 Inauguration Day
PA 2029-07-01 Inauguration Day
PA 11-03~sun Separation Day
PA 11-05~sun Colón Day
PA 11-10~sun First Cry of Independence
PA 11-28~sun Independence Day
PA 12-08~sun Mother's Day
PA 12-20~sun National Mourning Day
PA 12-25~sun Christmas Day
GB 01-01~mon New Year's Day
GB easter-2 Good Friday
GB easter+1 Easter Monday
GB 1mon05 Early May bank holiday
GB lastmon05 Spring bank holiday
GB lastmon08 Summer bank holiday
GB 12-25~mon Christmas Day
GB 12-26~mon Boxing Day
FR 01-01 New Year's Day
FR easter+1 Easter Monday
FR 05-01 Labour Day
FR 05-08 Victory Day
FR easter+39 Ascension Day
FR easter+50 Whit Monday
FR 07-14 National Day
FR 08-15 Assumption
FR 11-01 All Saints' Day
FR 11-11 Armistice Day
FR 12-25 Christmas Day
DE 01-01 New Year's Day
DE easter-2 Good Friday
DE easter+1 Easter Monday
DE 05-01 Labour Day
DE easter+39 Ascension Day
DE easter+50 Whit Monday
DE 10-03 German Unity Day
DE 12-25 Christmas Day
DE 12-26 Second Day of Christmas
NL 01-01 New Year's Day
NL easter+1 Easter Monday
NL 2024-04-27 King's Day
NL 2025-04-26 King's Day
NL 04-27[2026-] King's Day
NL 2025-05-05 Liberation Day
NL 2030-05-05 Liberation Day
NL easter+39 Ascension Day
NL easter+50 Whit Monday
NL 12-25 Christmas Day
NL 12-26 Second Day of Christmas
BE 01-01 New Year's Day
BE easter+1 Easter Monday
BE 05-01 Labour Day
BE easter+39 Ascension Day
BE easter+50 Whit Monday
BE 07-21 National Day
BE 08-15 Assumption
BE 11-01 All Saints' Day
BE 11-11 Armistice Day
BE 12-25 Christmas Day
ES 01-01 New Year's Day
ES 01-06 Epiphany
ES easter-2 Good Friday
ES 05-01 Labour Day
ES 08-15 Assumption
ES 10-12 National Day
ES 11-01 All Saints' Day
ES 12-06 Constitution Day
ES 12-08 Immaculate Conception
ES 12-25 Christmas Day
IT 01-01 New Year's Day
IT 01-06 Epiphany
IT easter+1 Easter Monday
IT 04-25 Liberation Day
IT 05-01 Labour Day
IT 06-02 Republic Day
IT 08-15 Assumption
IT 10-04[2026-] Saint Francis of Assisi
IT 11-01 All Saints' Day
IT 12-08 Immaculate Conception
IT 12-25 Christmas Day
IT 12-26 Saint Stephen's Day
GR 01-01 New Year's Day
GR 01-06 Epiphany
GR pascha-48 Clean Monday
GR 03-25 Independence Day
GR pascha-2 Good Friday
GR pascha+1 Easter Monday
GR 2024-05-07 Labour Day
GR 05-01[2025-] Labour Day
GR pascha+50 Whit Monday
GR 08-15 Assumption
GR 10-28 Ohi Day
GR 12-25 Christmas Day
GR 12-26 Second Day of Christmas
TR 01-01 New Year's Day
TR @fitr Ramadan Feast
TR @fitr+1 Ramadan Feast
TR @fitr+2 Ramadan Feast
TR 04-23 National Sovereignty and Children's Day
TR 05-01 Labour Day
TR 05-19 Atatürk, Youth and Sports Day
TR @adha Sacrifice Feast
TR @adha+1 Sacrifice Feast
TR @adha+2 Sacrifice Feast
TR @adha+3 Sacrifice Feast
TR 07-15 Democracy and National Unity Day
TR 08-30 Victory Day
TR 10-29 Republic Day
EG 01-07 Coptic Christmas
EG 01-25 Revolution Day
EG @fitr Eid al-Fitr
EG @fitr+1 Eid al-Fitr
EG @fitr+2 Eid al-Fitr
EG pascha+1 Sham el-Nessim
EG 04-25 Sinai Liberation Day
EG 05-01 Labour Day
EG @adha-1 Arafat Day
EG @adha Eid al-Adha
EG @adha+1 Eid al-Adha
EG @adha+2 Eid al-Adha
EG 06-30 June 30 Revolution
EG @hijra Islamic New Year
EG 07-23 Revolution Day
EG @mawlid Birthday of the Prophet
EG 10-06 Armed Forces Day
AE 01-01 New Year's Day
AE @fitr Eid al-Fitr
AE @fitr+1 Eid al-Fitr
AE @fitr+2 Eid al-Fitr
AE @adha-1 Arafat Day
AE @adha Eid al-Adha
AE @adha+1 Eid al-Adha
AE @adha+2 Eid al-Adha
AE @hijrasea Islamic New Year
AE @mawlidsea Birthday of the Prophet
AE 12-02 National Day
AE 12-03 National Day
ZA 01-01~sun New Year's Day
ZA 03-21~sun Human Rights Day
ZA easter-2 Good Friday
ZA easter+1 Family Day
ZA 04-27~sun Freedom Day
ZA 05-01~sun Workers' Day
ZA 2024-05-29 Election Day
ZA 06-16~sun Youth Day
ZA 08-09~sun National Women's Day
ZA 09-24~sun Heritage Day
ZA 12-16~sun Day of Reconciliation
ZA 12-25 Christmas Day
ZA 12-26~sun Day of Goodwill
AU 01-01~mon New Year's Day
AU 01-26~mon Australia Day
AU easter-2 Good Friday
AU easter+1 Easter Monday
AU 04-25 Anzac Day
AU 2mon06 King's Birthday
AU 12-25~mon Christmas Day
AU 12-26~mon Boxing Day
JP 01-01~sun New Year's Day
JP 2mon01 Coming of Age Day
JP 02-11~sun Foundation Day
JP 02-23~sun Emperor's Birthday
JP @vernal~sun Vernal Equinox Day
JP 04-29~sun Showa Day
JP 05-03~sun Constitution Day
JP 05-04~sun Greenery Day
JP 05-05~sun Children's Day
JP 3mon07 Marine Day
JP 08-11~sun Mountain Day
JP 3mon09 Respect for the Aged Day
JP 2026-09-22 Citizens' Holiday
JP @autumnal~sun Autumnal Equinox Day
JP 2mon10 Sports Day
JP 11-03~sun Culture Day
JP 11-23~sun Labour Thanksgiving Day
KR 01-01 New Year's Day
KR 2025-01-27 Temporary holiday
KR @seollal-1~sun Lunar New Year
KR @seollal~sun Lunar New Year
KR @seollal+1~sun Lunar New Year
KR 03-01~mon Independence Movement Day
KR 2024-04-10 Election Day
KR 2028-04-12 Election Day
KR 05-01 Workers' Day
KR 05-05~mon Children's Day
KR @buddha~mon Buddha's Birthday
KR 2025-06-03 Election Day
KR 2026-06-03 Election Day
KR 06-06 Memorial Day
KR 07-17[2026-]~mon Constitution Day
KR 08-15~mon Liberation Day
KR @mid-1~sun Chuseok
KR @mid~sun Chuseok
KR @mid+1~sun Chuseok
KR 2024-10-01 Temporary holiday
KR 10-03~mon National Foundation Day
KR 10-09~mon Hangul Day
KR 12-25~mon Christmas Day
CN 2024-01-01 New Year's Day
CN 2024-02-10..17 Spring Festival
CN 2024-04-04..06 Qingming Festival
CN 2024-05-01..05 Labour Day
CN 2024-06-08..10 Dragon Boat Festival
CN 2024-09-15..17 Mid-Autumn Festival
CN 2024-10-01..07 National Day
CN !2024-02-04 Working day for the Spring Festival
CN !2024-02-18 Working day for the Spring Festival
CN !2024-04-07 Working day for Qingming
CN !2024-04-28 Working day for Labour Day
CN !2024-05-11 Working day for Labour Day
CN !2024-09-14 Working day for the Mid-Autumn Festival
CN !2024-09-29 Working day for National Day
CN !2024-10-12 Working day for National Day
CN 2025-01-01 New Year's Day
CN 2025-01-28..31 Spring Festival
CN 2025-02-01..04 Spring Festival
CN 2025-04-04..06 Qingming Festival
CN 2025-05-01..05 Labour Day
CN 2025-05-31 Dragon Boat Festival
CN 2025-06-01..02 Dragon Boat Festival
CN 2025-10-01..08 National Day and Mid-Autumn Festival
CN !2025-01-26 Working day for the Spring Festival
CN !2025-02-08 Working day for the Spring Festival
CN !2025-04-27 Working day for Labour Day
CN !2025-09-28 Working day for National Day
CN !2025-10-11 Working day for National Day
CN 2026-01-01..03 New Year's Day
CN 2026-02-15..23 Spring Festival
CN 2026-04-04..06 Qingming Festival
CN 2026-05-01..05 Labour Day
CN 2026-06-19..21 Dragon Boat Festival
CN 2026-09-25..27 Mid-Autumn Festival
CN 2026-10-01..07 National Day
CN !2026-01-04 Working day for New Year's Day
CN !2026-02-14 Working day for the Spring Festival
CN !2026-02-28 Working day for the Spring Festival
CN !2026-05-09 Working day for Labour Day
CN !2026-09-20 Working day for National Day
CN !2026-10-10 Working day for National Day
CN 01-01[2027-] New Year's Day
CN @lny-1[2027-] Spring Festival
CN @lny[2027-] Spring Festival
CN @lny+1[2027-] Spring Festival
CN @lny+2[2027-] Spring Festival
CN @qingming[2027-] Qingming Festival
CN 05-01[2027-] Labour Day
CN 05-02[2027-] Labour Day
CN @dragon[2027-] Dragon Boat Festival
CN @mid[2027-] Mid-Autumn Festival
CN 10-01[2027-] National Day
CN 10-02[2027-] National Day
CN 10-03[2027-] National Day
HK 01-01~sun New Year's Day
HK @lny~sun Lunar New Year
HK @lny+1~sun Lunar New Year
HK @lny+2~sun Lunar New Year
HK easter-2 Good Friday
HK easter-1 Day following Good Friday
HK easter+1 Easter Monday
HK @qingming~sun Ching Ming Festival
HK 05-01~sun Labour Day
HK @buddha~sun Birthday of the Buddha
HK @dragon~sun Tuen Ng Festival
HK 07-01~sun Establishment Day
HK @mid+1~sun Day following the Mid-Autumn Festival
HK 10-01~sun National Day
HK @chungyeung~sun Chung Yeung Festival
HK 12-25~sun Christmas Day
HK 12-26~sun First weekday after Christmas Day
TW 01-01~us Founding Day
TW @lny-2[2026-]~mon Lunar New Year
TW @lny-1~mon Lunar New Year's Eve
TW @lny~mon Lunar New Year
TW @lny+1~mon Lunar New Year
TW @lny+2~mon Lunar New Year
TW 02-28~us Peace Memorial Day
TW 2024-04-05 Children's Day
TW 2025-04-03 Children's Day
TW 04-04[2026-2027]~us Children's Day
TW 2028-04-03 Children's Day
TW 2029-04-03 Children's Day
TW 04-04[2030-]~us Children's Day
TW @qingming~us Tomb Sweeping Day
TW 05-01~us Labour Day
TW @dragon~us Dragon Boat Festival
TW @mid~us Mid-Autumn Festival
TW 09-28[2025-]~us Teachers' Day
TW 10-10~us National Day
TW 10-25[2025-]~us Retrocession Day
TW 12-25[2025-]~us Constitution Day
SG 01-01~sun New Year's Day
SG @lny~sun Chinese New Year
SG @lny+1~sun Chinese New Year
SG @fitrsea~sun Hari Raya Puasa
SG easter-2 Good Friday
SG 05-01~sun Labour Day
SG 2025-05-03 Polling Day
SG @vesak~sun Vesak Day
SG @adhasea~sun Hari Raya Haji
SG 08-09~sun National Day
SG @deepavali~sun Deepavali
SG 12-25~sun Christmas Day
MY 01-01~sun New Year's Day
MY @lny~sun Chinese New Year
MY @lny+1~sun Chinese New Year
MY @fitrsea~sun Hari Raya Puasa
MY @fitrsea+1~sun Hari Raya Puasa
MY 05-01~sun Labour Day
MY @vesak~sun Wesak Day
MY @adhasea~sun Hari Raya Haji
MY 1mon06 Birthday of the King
MY @hijrasea~sun Islamic New Year
MY 08-31~sun National Day
MY @mawlidsea~sun Birthday of the Prophet
MY 09-16~sun Malaysia Day
MY @deepavali~sun Deepavali
MY 12-25~sun Christmas Day
TH 01-01~mon New Year's Day
TH @makha~mon Makha Bucha Day
TH 04-06~mon Chakri Day
TH 04-13~mon Songkran
TH 04-14~mon Songkran
TH 04-15~mon Songkran
TH 05-01 Labour Day
TH 05-04~mon Coronation Day
TH @visakha~mon Visakha Bucha Day
TH 06-03~mon Birthday of the Queen
TH @asalha~mon Asalha Bucha Day
TH 07-28~mon Birthday of the King
TH 08-12~mon Mother's Day
TH 10-13~mon Memorial Day of King Bhumibol
TH 10-23~mon Chulalongkorn Day
TH 12-05~mon Father's Day
TH 12-10~mon Constitution Day
TH 12-31~mon New Year's Eve
VN 01-01~mon New Year's Day
VN 2024-02-08..14 Tet
VN 2025-01-27..31 Tet
VN 2026-02-16..20 Tet
VN @tet-1[2027-]~mon Tet
VN @tet[2027-]~mon Tet
VN @tet+1[2027-]~mon Tet
VN @tet+2[2027-]~mon Tet
VN @tet+3[2027-]~mon Tet
VN @hung~mon Hung Kings' Day
VN 04-30~mon Reunification Day
VN 05-01~mon Labour Day
VN 09-02~mon National Day
VN 2024-09-03 National Day
VN 2025-09-01 National Day
VN 2026-09-01 National Day
IN 01-26 Republic Day
IN @mahavir Mahavir Jayanti
IN @fitrin Id-ul-Fitr
IN easter-2 Good Friday
IN @purnima Buddha Purnima
IN @adhain Id-ul-Zuha
IN @ashura Muharram
IN 08-15 Independence Day
IN @milad Milad-un-Nabi
IN 10-02 Gandhi Jayanti
IN @dussehra Dussehra
IN @diwali Diwali
IN @nanak Guru Nanak's Birthday
IN 12-25 Christmas Day
`

// tables are the days of festivals by the moon or the sun, from 2024 to 2030.
var tables = map[string]string{
	"lny":        "2024-02-10 2025-01-29 2026-02-17 2027-02-06 2028-01-26 2029-02-13 2030-02-03",
	"tet":        "2024-02-10 2025-01-29 2026-02-17 2027-02-06 2028-01-26 2029-02-13 2030-02-02",
	"seollal":    "2024-02-10 2025-01-29 2026-02-17 2027-02-07 2028-01-27 2029-02-13 2030-02-03",
	"qingming":   "2024-04-04 2025-04-04 2026-04-05 2027-04-05 2028-04-04 2029-04-04 2030-04-05",
	"hung":       "2024-04-18 2025-04-07 2026-04-26 2027-04-16 2028-04-04 2029-04-23 2030-04-12",
	"buddha":     "2024-05-15 2025-05-05 2026-05-24 2027-05-13 2028-05-02 2029-05-20 2030-05-09",
	"dragon":     "2024-06-10 2025-05-31 2026-06-19 2027-06-09 2028-05-28 2029-06-16 2030-06-05",
	"mid":        "2024-09-17 2025-10-06 2026-09-25 2027-09-15 2028-10-03 2029-09-22 2030-09-12",
	"chungyeung": "2024-10-11 2025-10-29 2026-10-18 2027-10-08 2028-10-26 2029-10-16 2030-10-05",
	"vernal":     "2024-03-20 2025-03-20 2026-03-20 2027-03-21 2028-03-20 2029-03-20 2030-03-20",
	"autumnal":   "2024-09-22 2025-09-23 2026-09-23 2027-09-23 2028-09-22 2029-09-23 2030-09-23",
	"fitr":       "2024-04-10 2025-03-30 2026-03-20 2027-03-09 2028-02-26 2029-02-14 2030-02-04",
	"adha":       "2024-06-16 2025-06-06 2026-05-27 2027-05-16 2028-05-05 2029-04-24 2030-04-13",
	"hijra":      "2024-07-07 2025-06-26 2026-06-16 2027-06-06 2028-05-25 2029-05-14 2030-05-04",
	"mawlid":     "2024-09-15 2025-09-04 2026-08-25 2027-08-14 2028-08-03 2029-07-24 2030-07-13",
	"fitrsea":    "2024-04-10 2025-03-31 2026-03-21 2027-03-10 2028-02-27 2029-02-15 2030-02-05",
	"adhasea":    "2024-06-17 2025-06-07 2026-05-27 2027-05-16 2028-05-05 2029-04-24 2030-04-14",
	"hijrasea":   "2024-07-07 2025-06-27 2026-06-17 2027-06-06 2028-05-25 2029-05-14 2030-05-04",
	"mawlidsea":  "2024-09-16 2025-09-05 2026-08-25 2027-08-15 2028-08-03 2029-07-24 2030-07-13",
	"vesak":      "2024-05-22 2025-05-12 2026-05-31 2027-05-20 2028-05-09 2029-05-27 2030-05-17",
	"deepavali":  "2024-10-31 2025-10-20 2026-11-08 2027-10-28 2028-10-17 2029-11-05 2030-10-26",
	"makha":      "2024-02-24 2025-02-12 2026-03-03 2027-02-21 2028-02-10 2029-02-27 2030-02-17",
	"visakha":    "2024-05-22 2025-05-11 2026-05-31 2027-05-20 2028-05-08 2029-05-27 2030-05-16",
	"asalha":     "2024-07-20 2025-07-10 2026-07-29 2027-07-18 2028-07-06 2029-07-25 2030-07-15",
	"fitrin":     "2024-04-11 2025-03-31 2026-03-21 2027-03-10 2028-02-27 2029-02-15 2030-02-05",
	"adhain":     "2024-06-17 2025-06-07 2026-05-27 2027-05-17 2028-05-05 2029-04-24 2030-04-14",
	"ashura":     "2024-07-17 2025-07-06 2026-06-26 2027-06-16 2028-06-04 2029-05-24 2030-05-13",
	"milad":      "2024-09-16 2025-09-05 2026-08-26 2027-08-15 2028-08-04 2029-07-24 2030-07-14",
	"mahavir":    "2024-04-21 2025-04-10 2026-03-31 2027-04-19 2028-04-07 2029-04-26 2030-04-16",
	"purnima":    "2024-05-23 2025-05-12 2026-05-01 2027-05-20 2028-05-08 2029-05-27 2030-05-17",
	"dussehra":   "2024-10-12 2025-10-02 2026-10-20 2027-10-09 2028-09-27 2029-10-16 2030-10-06",
	"diwali":     "2024-10-31 2025-10-20 2026-11-08 2027-10-29 2028-10-17 2029-11-05 2030-10-26",
	"nanak":      "2024-11-15 2025-11-05 2026-11-24 2027-11-14 2028-11-02 2029-11-21 2030-11-10",
}

// expected are tables, and countries, whose days governments announce year by year: those
// after lastAnnounced are what is expected.
var expected = map[string]bool{
	"CN": true, "tet": true, "fitr": true, "adha": true, "hijra": true, "mawlid": true, "fitrsea": true, "adhasea": true, "hijrasea": true, "mawlidsea": true,
	"vesak": true, "deepavali": true, "makha": true, "visakha": true, "asalha": true, "fitrin": true, "adhain": true, "ashura": true, "milad": true,
	"mahavir": true, "purnima": true, "dussehra": true, "diwali": true, "nanak": true,
}

const lastAnnounced = 2026
