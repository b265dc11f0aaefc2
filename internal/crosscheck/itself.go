package crosscheck

import (
	"strings"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/refdata"
)

// compareItself checks check digits, sums, the order of dates and the prefix of the bill.
func (c *comparison) compareItself() {
	c.checkDigits()
	c.checkSums()
	c.checkPrefix()
	if eta, ok := c.field("eta").date(); ok {
		if etd, ok := c.field("etd").date(); ok && eta < etd {
			c.differ(Check{Kind: Order, Field: "eta", Says: eta, Other: ItsOwn, OtherSays: etd}, "the ETD is %s", etd)
		}
		if lfd, ok := c.field("last_free_day").date(); ok && lfd < eta {
			c.differ(Check{Kind: Order, Field: "last_free_day", Says: lfd, Other: ItsOwn, OtherSays: eta}, "the ETA is %s", eta)
		}
	}
}

// checkDigits checks the last digits of container and IMO numbers. Right ones are no news: without
// them a number is hardly read as one.
func (c *comparison) checkDigits() {
	for i, row := range c.rows("containers") {
		number := freight.FoldNumber(find(row, "number").printed())
		if valid, digit := refdata.CheckDigit(number); !valid && digit >= 0 {
			c.differ(Check{Kind: CheckDigit, Field: "containers.number", Rows: []int{i}, Says: number, Other: ItsOwn}, "its check digit should be %d", digit)
		}
	}
	imo := strings.TrimPrefix(freight.FoldNumber(c.field("vessel_imo").printed()), "IMO")
	if len(imo) == 7 && !refdata.ValidIMO(imo) {
		c.differ(Check{Kind: CheckDigit, Field: "vessel_imo", Says: imo, Other: ItsOwn}, "its check digit is wrong")
	}
}

// checkSums compares totals with the rows that they are of. Amounts of an invoice agree or say
// nothing: freight, discounts and taxes may stand between lines and total.
func (c *comparison) checkSums() {
	for _, name := range []string{"packages", "gross_weight", "net_weight"} {
		printed, sum := c.totalOf(name), c.weigh("lines", name)
		if name == "packages" {
			sum = c.count("lines", name)
		}
		switch {
		case !printed.ok || !sum.ok:
		case printed.equals(sum):
			c.agree(Sum, name, nil, ItsOwn, "")
			c.agree(Sum, "lines."+name, nil, ItsOwn, "")
		default:
			c.differ(Check{Kind: Sum, Field: name, Says: printed.String(), Other: ItsOwn, OtherSays: sum.String()}, "the rows add up to %s", sum)
		}
	}
	total, currency := c.field("total").money()
	if sum, ok := sumOf(c.rows("lines"), "amount", func([]field) bool { return true }, currency); ok && isAmount(total, sum) {
		c.agree(Sum, "total", nil, ItsOwn, "")
		c.agree(Sum, "lines.amount", nil, ItsOwn, "")
	}
}

// checkPrefix compares the line with the one whose letters the number of its bill begins with. A
// forwarder that issues bills of its own is the carrier of a house bill, and no line.
func (c *comparison) checkPrefix() {
	code := c.field("scac").text()
	number := freight.FoldNumber(c.field("bl_number").printed())
	line, known := refdata.LineByPrefix(number)
	if code == "" || !known {
		return
	}
	if isLine(code, line.SCAC) {
		c.agree(Prefix, "scac", nil, ItsOwn, "")
		return
	}
	if _, isLine := refdata.LineBySCAC(code); !isLine || c.Type == houseBill {
		return
	}
	c.differ(Check{Kind: Prefix, Field: "scac", Says: code, Other: ItsOwn, OtherSays: line.SCAC}, "its number %s begins as those of %s (%s)", number, line.ShortName, line.SCAC)
}

// isLine reports whether two SCACs are of one line.
func isLine(a, b string) bool { return lineOf(a) == lineOf(b) }

func lineOf(code string) string {
	if line, ok := refdata.LineBySCAC(code); ok {
		return line.SCAC
	}
	return code
}
