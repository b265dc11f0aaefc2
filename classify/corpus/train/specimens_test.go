package train

import "testing"

func TestInWords(t *testing.T) {
	for n, want := range map[int]string{
		0: "ZERO", 7: "SEVEN", 15: "FIFTEEN", 20: "TWENTY", 42: "FORTY TWO", 100: "ONE HUNDRED", 119: "ONE HUNDRED NINETEEN",
		2000: "TWO THOUSAND", 40_300: "FORTY THOUSAND THREE HUNDRED", 1_000_001: "ONE MILLION ONE",
	} {
		if got := inWords(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	if got := inMoney("EUR", 12_05); got != "EUROS TWELVE AND CENTS FIVE ONLY" {
		t.Error(got)
	}
}
