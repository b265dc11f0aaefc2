package fresh

import (
	"fmt"
	"strings"

	"github.com/landfallhq/tracking/classify/corpus/form"
	"github.com/landfallhq/tracking/classify/corpus/trade"
)

// sums are those of the lines of goods.
func sums(goods []trade.Goods) (cartons, pieces int, gross, net, volume float64) {
	for _, g := range goods {
		cartons, pieces = cartons+g.Cartons, pieces+g.Quantity
		gross, net, volume = gross+g.Gross, net+g.Net, volume+g.Volume
	}
	return cartons, pieces, float64(int(gross*10+0.5)) / 10, float64(int(net*10+0.5)) / 10, float64(int(volume*1000+0.5)) / 1000
}

// plRanges is an Asian exporter's list, its cartons numbered through.
func plRanges(f *form.Form) {
	recast(f, plan{way: form.Pick(f, "us", "ex-cn"), boxes: 1, lines: 4})
	habits(f, form.Pick(f, "Jan. 02, 2006", "02-Jan-06"), ",", ".", 2, 0, 0)
	f.Style.Upper = true
	f.Font, f.ValueFont = form.Pick(f, form.Serif, form.Go), form.Pick(f, form.Typed, form.Serif)
	s := f.S
	f.Page("A4")
	f.Centre(105, 10, 13, "B", strings.ToUpper(s.Shipper.Name))
	f.Centre(105, 16.5, 8, "", strings.Join(s.Shipper.Address, ", "))
	f.Centre(105, 24, 14, "B", "PACKING LIST")
	f.Say(15, 36, 9, "B", "MESSRS:")
	for i, line := range append([]string{upper(s.Buyer).Name}, upper(s.Buyer).Address...) {
		f.Fill(38, 36+4.2*float64(i), 84, 9, line)
	}
	f.Label(128, 36, 26, 66, 9, "B", "P/L NO.:", f.Number("packing_list_number", ref(f.R, "PL/26/#####")))
	f.Label(128, 41, 26, 66, 9, "B", "INVOICE NO.:", f.Number("invoice_number", ref(f.R, "@@26-####")))
	f.Label(128, 46, 26, 66, 9, "B", "DATE:", f.Day("issue_date", s.Invoiced))
	f.Label(128, 51, 26, 66, 9, "B", "ORDER NO.:", f.Number("po_number", ref(f.R, "######/@")))
	f.Label(15, 60, 30, 180, 9, "", "PER S.S. "+s.Ship.Name+" FROM "+strings.ToUpper(city(s.Lading))+" TO "+strings.ToUpper(city(s.Unlading)), "")
	columns := []form.Column{{Title: "C/NO.", Width: 26}, {Title: "DESCRIPTION", Width: 56}, {Title: "CTNS", Width: 16, Right: true}, {Title: "Q'TY", Width: 20, Right: true}, {Title: "N.W.\n(KGS)", Width: 22, Right: true}, {Title: "G.W.\n(KGS)", Width: 22, Right: true}, {Title: "MEAS'T\n(CBM)", Width: 20, Right: true}}
	var rows [][]string
	from := 1
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{fmt.Sprintf("%d-%d", from, from+g.Cartons-1), row.Text("description", strings.ToUpper(g.Words)), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume)})
		from += g.Cartons
	}
	n, pieces, gross, net, volume := sums(s.Goods)
	rows = append(rows, []string{"TOTAL:", "", f.Count("packages", n), f.Count("", pieces), f.BareMass("net_weight", net), f.BareMass("gross_weight", gross), f.BareVolume("volume", volume)})
	y := f.Table(14, 68, 8.5, f.R.IntN(2) == 0, columns, rows) + 8
	f.Say(15, y, 9, "", fmt.Sprintf("SAY TOTAL %d CARTONS ONLY.", n))
	f.Say(15, y+8, 9, "B", "SHIPPING MARKS:")
	marks := []string{strings.ToUpper(strings.Fields(s.Buyer.Name)[0]), strings.ToUpper(city(s.Delivery)), fmt.Sprintf("C/NO. 1-%d", n), "MADE IN " + strings.ToUpper(origins[s.Lading.Country])}
	f.Text("marks", strings.Join(marks, " "))
	for i, line := range marks {
		f.Fill(54, y+8+4.2*float64(i), 80, 9, line)
	}
}

// plDelivery is a print of a business system, with a line of weights below each
// article, on two pages.
func plDelivery(f *form.Form) {
	recast(f, plan{way: "eu", boxes: 2, lines: 3})
	habits(f, form.Pick(f, "2006-01-02", "02 Jan 2006"), ",", ".", 1, 0, 0)
	f.Style.Kilo, f.Style.Cubic = "KG", "M3"
	f.Font = form.Pick(f, form.Sans, form.Mono)
	f.ValueFont = f.Font
	more(f, 14+f.R.IntN(6))
	s := f.S
	f.Page("A4")
	number := f.Number("packing_list_number", ref(f.R, "80######"))
	f.Say(15, 10, 15, "B", "Packing List")
	f.Right(195, 10, 9, "", s.Shipper.Name)
	f.Right(195, 14.5, 7.5, "", strings.Join(s.Shipper.Address, ", "))
	y := 24.0
	for _, one := range [][2]string{{"Delivery / packing list", number}, {"Document date", f.Day("issue_date", s.Invoiced)}, {"Invoice", f.Number("invoice_number", ref(f.R, "91######"))}, {"Purchase order no.", f.Number("po_number", ref(f.R, "45########"))}, {"Container / seal", plBox(f)}} {
		y = beside(f, 15, y, 46, 100, 9, "", one[0], one[1])
	}
	f.Say(120, 24, 7, "", "Ship-to party")
	for i, line := range append([]string{s.Buyer.Name}, s.Buyer.Address...) {
		f.Fill(120, 28+4.2*float64(i), 75, 9, line)
	}
	y += 6
	head := func() {
		f.Rule(15, y-1, 195, y-1)
		for i, title := range []string{"Item", "Material", "Description", "Qty", "Packages"} {
			f.Say([]float64{15, 27, 55, 148, 172}[i], y, 8, "B", title)
		}
		f.Rule(15, y+4, 195, y+4)
		y += 6
	}
	head()
	for i, g := range s.Goods {
		if y > 262 {
			f.Say(15, 284, 7, "", "Page 1 / 2")
			f.Page("A4")
			f.Say(15, 10, 9, "", "Packing list "+number+" (continued)")
			y = 20
			head()
		}
		row := f.Row("lines")
		f.Fill(15, y, 10, 8.5, fmt.Sprint(10*(i+1)))
		f.Fill(27, y, 26, 8.5, g.Item)
		f.Fill(55, y, 88, 8.5, row.Text("description", g.Words))
		f.Fill(148, y, 22, 8.5, row.Count("quantity", g.Quantity)+" "+g.Unit)
		f.Fill(172, y, 22, 8.5, row.Count("packages", g.Cartons)+" CT")
		f.Fill(55, y+4.4, 130, 8, "Net "+row.Mass("net_weight", g.Net)+"   Gross "+row.Mass("gross_weight", g.Gross)+"   Volume "+row.Volume("volume", g.Volume))
		y += 12
	}
	n, _, gross, net, volume := sums(s.Goods)
	f.Rule(15, y, 195, y)
	y += 2
	for _, one := range [][2]string{{"Total number of packages", f.Count("packages", n)}, {"Total net weight", f.Mass("net_weight", net)}, {"Total gross weight", f.Mass("gross_weight", gross)}, {"Total volume", f.Volume("volume", volume)}} {
		y = beside(f, 120, y, 44, 75, 8.5, "B", one[0], one[1])
	}
}

// plBox keeps and prints the first container with its seal.
func plBox(f *form.Form) string {
	row := f.Row("containers")
	b := f.S.Containers[0]
	return row.Container("number", b.Number) + " / " + row.Number("seal", b.Seal)
}

// plWeights is a packing and weight list with a box of marks at the left, and a part
// for each container.
func plWeights(f *form.Form) {
	recast(f, plan{way: "in", boxes: 3, lines: 3, whole: true})
	habits(f, form.Pick(f, "02.01.2006", "2 January 2006"), ",", ".", 1, 1, 1)
	f.Style.Kilo = "kg"
	f.Font, f.ValueFont = form.Sans, form.Pick(f, form.Sans, form.Mono)
	s := f.S
	f.Page("Letter")
	f.Say(14, 9, 14, "B", "PACKING AND WEIGHT LIST")
	f.Right(202, 10, 8.5, "", s.Shipper.Name)
	y := strip(f, 14, 19, 10, 6, []float64{47, 47, 47, 47}, c("List number", f.Number("packing_list_number", ref(f.R, "WL-####.##"))), c("Date", f.Day("issue_date", s.Invoiced)), c("Invoice reference", f.Number("invoice_number", ref(f.R, "R/#####"))), c("Buyer's P.O.", f.Number("po_number", ref(f.R, "#####-##"))))
	y = strip(f, 14, y, 24, 6, []float64{94, 94}, c("Shipped by", append([]string{s.Shipper.Name}, s.Shipper.Address...)...), c("Shipped to", append([]string{s.Buyer.Name}, s.Buyer.Address...)...))
	n, _, gross, net, volume := sums(s.Goods)
	marks := []string{ref(f.R, "@@@ ####"), strings.ToUpper(city(s.Unlading)), fmt.Sprintf("NO. 1/%d", n)}
	f.Text("marks", strings.Join(marks, " "))
	f.Frame(14, y, 38, 60)
	stack(f, 15.2, y+1, 35, 6, "Marks and numbers", marks...)
	columns := []form.Column{{Title: "Contents", Width: 62}, {Title: "Cases", Width: 18, Right: true}, {Title: "Units", Width: 18, Right: true}, {Title: "Net kg", Width: 26, Right: true}, {Title: "Gross kg", Width: 26, Right: true}}
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{row.Text("description", g.Words), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross)})
	}
	f.Table(52, y, 8.5, true, columns, rows)
	y += 62
	y = strip(f, 14, y, 11, 6, []float64{47, 47, 47, 47}, c("Total packages", f.Count("packages", n)+" cases"), c("Total net weight", f.Mass("net_weight", net)), c("Total gross weight", f.Mass("gross_weight", gross)), c("Total measurement", f.Volume("volume", volume)))
	f.Say(14, y+5, 9, "B", "Stowage")
	y += 11
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(18, y, 180, 9, "Container "+row.Container("number", b.Number)+", seal no. "+row.Number("seal", b.Seal)+fmt.Sprintf(": %d cases", b.Packages))
		y += 4.8
	}
	f.Say(14, y+10, 7.5, "", "We certify that the above weights are those established at packing.")
}

// plRomaneio is a Brazilian exporter's list in two languages.
func plRomaneio(f *form.Form) {
	recast(f, plan{way: "br", boxes: 3, lines: 3})
	habits(f, "02/01/2006", ".", ",", 2, 2, 0)
	f.Font = form.Pick(f, form.Go, form.Sans)
	f.ValueFont = form.Pick(f, f.Font, form.Typed)
	s := f.S
	f.Page("A4")
	f.Badge(15, 10, 40, 8)
	f.Say(15, 20, 10, "B", s.Shipper.Name)
	f.Lines(15, 25, 7.5, "", s.Shipper.Address...)
	f.Say(110, 12, 14, "B", "ROMANEIO DE CARGA")
	f.Say(110, 18.5, 11, "I", "Packing List")
	f.Say(110, 24, 7, "I", "data: dia/mês/ano - date: day/month/year")
	y := 38.0
	pair := func(a, av, b, bv string) {
		f.Label(15, y, 42, 95, 8.5, "B", a, av)
		if b != "" {
			f.Label(116, y, 40, 80, 8.5, "B", b, bv)
		}
		y += 5.4
	}
	pair("Romaneio nº / List no.", f.Number("packing_list_number", ref(f.R, "###/2026")), "Data / Date", f.Day("issue_date", s.Invoiced))
	pair("Fatura nº / Invoice no.", f.Number("invoice_number", ref(f.R, "EXP-####/26")), "Pedido / P.O.", f.Number("po_number", ref(f.R, "@@@#####")))
	pair("Importador / Importer", s.Buyer.Name, "", "")
	pair("Embarque / Loading", city(s.Lading), "Destino / Destination", city(s.Unlading))
	columns := []form.Column{{Title: "Produto\nProduct", Width: 66}, {Title: "Volumes\nPackages", Width: 22, Right: true}, {Title: "Quant.\nQuantity", Width: 22, Right: true}, {Title: "Peso líquido kg\nNet weight", Width: 26, Right: true}, {Title: "Peso bruto kg\nGross weight", Width: 24, Right: true}, {Title: "Cubagem m3\nVolume", Width: 22, Right: true}}
	var rows [][]string
	for _, g := range s.Goods {
		row := f.Row("lines")
		rows = append(rows, []string{row.Text("description", g.Words), row.Count("packages", g.Cartons), row.Count("quantity", g.Quantity), row.BareMass("net_weight", g.Net), row.BareMass("gross_weight", g.Gross), row.BareVolume("volume", g.Volume)})
	}
	n, pieces, gross, net, volume := sums(s.Goods)
	rows = append(rows, []string{"TOTAL", f.Count("packages", n), f.Count("", pieces), f.BareMass("net_weight", net), f.BareMass("gross_weight", gross), f.BareVolume("volume", volume)})
	y = f.Table(14, y+4, 8.5, true, columns, rows) + 8
	f.Say(15, y, 9, "B", "Contêineres e lacres / Containers and seals")
	y += 5
	for _, b := range s.Containers {
		row := f.Row("containers")
		f.Fill(20, y, 60, 9, row.Container("number", b.Number))
		f.Fill(85, y, 60, 9, "lacre / seal "+row.Number("seal", b.Seal))
		y += 4.6
	}
}

var packingLists = []form.Layout{
	{Name: "pl-ranges", Type: "packing_list", Copies: 3, Draw: plRanges},
	{Name: "pl-delivery", Type: "packing_list", Copies: 2, Draw: plDelivery},
	{Name: "pl-weights", Type: "packing_list", Copies: 2, Draw: plWeights},
	{Name: "pl-romaneio", Type: "packing_list", Copies: 2, Draw: plRomaneio},
}
