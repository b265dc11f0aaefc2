package refdata

import "testing"

func TestCheckDigit(t *testing.T) {
	for _, c := range []struct {
		number   string
		valid    bool
		expected int
	}{
		{"CAIU7432986", true, 6},
		{"WHLU1234560", true, 0},
		{"TCLU6718159", true, 9},
		{"MRKU9465770", true, 0},
		{"APZU4812090", true, 0},
		{"CSQU3054383", true, 3},
		{"COSU1186800", true, 0},
		{"MSCU1234567", false, 6},
		{"TCLU7654321", false, 0},
		{"", false, -1},
		{"CSQU305438", false, -1},
		{"CSQU30543833", false, -1},
		{"CSQX3054383", false, -1},
		{"csqu3054383", false, -1},
		{"CSQU305438X", false, -1},
		{"CS4U3054383", false, -1},
		{"CSQU3O54383", false, -1},
	} {
		valid, expected := CheckDigit(c.number)
		if valid != c.valid || expected != c.expected {
			t.Errorf("CheckDigit(%q) = %v, %d; want %v, %d", c.number, valid, expected, c.valid, c.expected)
		}
	}
}

func TestParseISOType(t *testing.T) {
	for _, c := range []struct {
		code      string
		length    int
		height    string
		equipment string
		ok        bool
	}{
		{"22G1", 20, "standard", "dry", true},
		{"22GP", 20, "standard", "dry", true},
		{"20GP", 20, "standard", "dry", true},
		{"42G1", 40, "standard", "dry", true},
		{"45G1", 40, "high_cube", "dry", true},
		{"45GP", 40, "high_cube", "dry", true},
		{"L5G1", 45, "high_cube", "dry", true},
		{"L2G1", 45, "standard", "dry", true},
		{"LEG1", 45, "high_cube", "dry", true},
		{"12G1", 10, "standard", "dry", true},
		{"22VH", 20, "standard", "dry", true},
		{"22R1", 20, "standard", "reefer", true},
		{"45R1", 40, "high_cube", "reefer", true},
		{"45RT", 40, "high_cube", "reefer", true},
		{"42H5", 40, "standard", "reefer", true},
		{"22U1", 20, "standard", "open top", true},
		{"42UT", 40, "standard", "open top", true},
		{"45U6", 40, "high_cube", "open top", true},
		{"22P1", 20, "standard", "flat rack", true},
		{"45P3", 40, "high_cube", "flat rack", true},
		{"42PL", 40, "standard", "flat rack", true},
		{"45PC", 40, "high_cube", "flat rack", true},
		{"48P0", 40, "", "flat rack", true},
		{"22B0", 20, "standard", "bulk", true},
		{"22BU", 20, "standard", "bulk", true},
		{"22T6", 20, "standard", "tank", true},
		{"22TD", 20, "standard", "tank", true},
		{"22K2", 20, "standard", "tank", true},
		{"22S1", 20, "standard", "", true},
		{"M5G1", 0, "high_cube", "dry", true},
		{"32G1", 0, "standard", "dry", true},
		{" 22g1 ", 20, "standard", "dry", true},
		{"2200", 20, "standard", "dry", true},
		{"4310", 40, "standard", "dry", true},
		{"4510", 40, "high_cube", "dry", true},
		{"9500", 45, "high_cube", "dry", true},
		{"4532", 40, "high_cube", "reefer", true},
		{"2251", 20, "standard", "open top", true},
		{"4361", 40, "standard", "flat rack", true},
		{"2275", 20, "standard", "tank", true},
		{"2280", 20, "standard", "bulk", true},
		{"20DV", 20, "standard", "dry", true},
		{"40HC", 40, "high_cube", "dry", true},
		{"45HC", 45, "high_cube", "dry", true},
		{"40RH", 40, "high_cube", "reefer", true},
		{"40FR", 40, "standard", "flat rack", true},
		{"42HC", 0, "", "", false},
		{"", 0, "", "", false},
		{"22G", 0, "", "", false},
		{"22G12", 0, "", "", false},
		{"22X1", 0, "", "", false},
		{"72G1", 0, "", "", false},
		{"27G1", 0, "", "", false},
		{"22GX", 0, "", "", false},
		{"220X", 0, "", "", false},
	} {
		length, height, equipment, ok := ParseISOType(c.code)
		if length != c.length || height != c.height || equipment != c.equipment || ok != c.ok {
			t.Errorf("ParseISOType(%q) = %d, %q, %q, %v; want %d, %q, %q, %v",
				c.code, length, height, equipment, ok, c.length, c.height, c.equipment, c.ok)
		}
	}
}

func FuzzParseISOType(f *testing.F) {
	for _, s := range []string{"22G1", "L5G1", "40HC", "2200", "ſſſſ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, code string) {
		length, height, equipment, ok := ParseISOType(code)
		if !ok && (length != 0 || height != "" || equipment != "") {
			t.Errorf("%q: values beside ok=false", code)
		}
		CheckDigit(code)
		if ValidIMO(code) && len(code) != 7 {
			t.Errorf("%q: an IMO number of another length", code)
		}
		LineByOwner(code)
		LineByPrefix(code)
		PortByCode(code)
	})
}
