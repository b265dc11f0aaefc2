package freetime

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Money is an exact amount of a currency, as a whole number of its smallest units: cents
// for USD, yen for JPY, fils for KWD. The zero value is an unknown amount (null), which
// is not the amount of zero.
type Money struct {
	units    int64
	currency string
}

// maxDigits is the number of digits, with decimals, of the largest amount that ParseMoney
// reads. The sum over a ledger then stays far within 64 bits.
const maxDigits = 14

// maxUnits is the smallest number of more than maxDigits digits.
const maxUnits = 100_000_000_000_000

// NewMoney returns an amount in the smallest units of a currency, which is a code of ISO
// 4217 in capitals.
func NewMoney(units int64, currency string) (Money, error) {
	if _, known := decimals(currency); !known {
		return Money{}, fmt.Errorf("%q is not a currency: a code of ISO 4217 such as USD is allowed", currency)
	}
	return Money{units, currency}, nil
}

// ParseMoney reads an amount such as "150.00" or "150". More decimals than the currency
// has are refused, as are signs, separators of thousands and more than 14 digits.
func ParseMoney(amount, currency string) (Money, error) {
	places, known := decimals(currency)
	if !known {
		return NewMoney(0, currency)
	}
	whole, fraction, point := strings.Cut(amount, ".")
	if !isDigits(whole) || point && !isDigits(fraction) || len(fraction) > places {
		return Money{}, fmt.Errorf("%q is not an amount of %s: digits, with at most %d after a point, are allowed", amount, currency, places)
	}
	digits := strings.TrimLeft(whole+fraction+strings.Repeat("0", places-len(fraction)), "0")
	if len(digits) > maxDigits {
		return Money{}, fmt.Errorf("%q is too large: at most %d digits, decimals included, are allowed", amount, maxDigits)
	}
	units, _ := strconv.ParseInt("0"+digits, 10, 64)
	return Money{units, currency}, nil
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// IsKnown reports whether the amount is known. An amount of zero is.
func (m Money) IsKnown() bool { return m.currency != "" }

// Currency returns the code of ISO 4217, and "" for an unknown amount.
func (m Money) Currency() string { return m.currency }

// Units returns the amount in the smallest units of the currency.
func (m Money) Units() int64 { return m.units }

// String returns the amount with the decimals of its currency and without its code, such
// as "150.00", and "" for an unknown amount.
func (m Money) String() string {
	places, known := decimals(m.currency)
	if !known {
		return ""
	}
	sign, units := "", uint64(m.units)
	if m.units < 0 {
		sign, units = "-", -units
	}
	digits := fmt.Sprintf("%0*d", places+1, units)
	if places == 0 {
		return sign + digits
	}
	point := len(digits) - places
	return sign + digits[:point] + "." + digits[point:]
}

// Add returns the sum. It is unknown where an amount is, where the currencies differ, and
// beyond 64 bits.
func (m Money) Add(n Money) Money {
	if m.currency != n.currency ||
		n.units > 0 && m.units > math.MaxInt64-n.units ||
		n.units < 0 && m.units < math.MinInt64-n.units {
		return Money{}
	}
	return Money{m.units + n.units, m.currency}
}

// zero returns the amount of zero in the currency.
func zero(currency string) Money { return Money{0, currency} }

// decimals returns how many decimals the amounts of a currency have, and whether the
// currency is known.
func decimals(currency string) (int, bool) {
	places, known := currencies[currency]
	return places, known
}

var currencies = func() map[string]int {
	table := map[string]int{}
	for places, codes := range currencyCodes {
		for code := range strings.FieldsSeq(codes) {
			table[code] = places
		}
	}
	return table
}()

// currencyCodes are the currencies of ISO 4217, by the number of their decimals.
var currencyCodes = []string{
	0: `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF`,
	2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD
		CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
		GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP
		LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
		NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS
		SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD
		XCG YER ZAR ZMW ZWG`,
	3: `BHD IQD JOD KWD LYD OMR TND`,
}
