package refdata

import "testing"

func TestValidIMO(t *testing.T) {
	for number, want := range map[string]bool{
		"9321483": true, "9770749": true, "9074729": true,
		"2468135": false, "9321484": false, "0000000": false,
		"": false, "932148": false, "93214833": false, "932148X": false, "IMO9321483": false,
	} {
		if got := ValidIMO(number); got != want {
			t.Errorf("ValidIMO(%q) = %v, want %v", number, got, want)
		}
	}
}

func TestCountryName(t *testing.T) {
	for code, want := range map[string]string{"US": "United States", "cn": "China", "AN": "", "": ""} {
		if got := CountryName(code); got != want {
			t.Errorf("CountryName(%q) = %q, want %q", code, got, want)
		}
	}
	if len(countryNames) != 249 {
		t.Errorf("%d countries, ISO 3166-1 has 249", len(countryNames))
	}
}
