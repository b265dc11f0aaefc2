package naturalkey

import (
	"testing"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/store"
)

// aliases has canonical LOCODEs by alias, with their names.
type aliases map[string][2]string

func (a aliases) Place(locode string) (canonical, name, zone string, ok bool) {
	p, ok := a[locode]
	return p[0], p[1], "", ok
}

var (
	here  = Resolver{store.AccountID{1}, aliases{"CNSHA": {"CNSHA", "Shanghai"}, "CNSGH": {"CNSHA", "Shanghai"}}}
	other = Resolver{store.AccountID{2}, here.Places}
)

func TestPort(t *testing.T) {
	for _, tt := range []struct {
		place        freight.Place
		id           store.ID
		locode, name string
	}{
		{freight.Place{LOCODE: "CNSGH", Name: "SHANGHAI PORT"}, Port("CNSHA"), "CNSHA", "Shanghai"},
		{freight.Place{LOCODE: "XXABC", Name: "Nowhere"}, Port("XXABC"), "XXABC", "Nowhere"},
		{freight.Place{Name: "Nowhere"}, ByName("port", here.Account, "nowhere"), "", "Nowhere"},
		{freight.Place{}, store.ID{}, "", ""},
	} {
		if id, locode, name := here.Port(tt.place); id != tt.id || locode != tt.locode || name != tt.name {
			t.Errorf("%+v is %s, %s, %s", tt.place, id, locode, name)
		}
	}
}

func TestFacility(t *testing.T) {
	for _, tt := range []struct {
		place freight.Place
		want  store.ID
	}{
		{freight.Place{LOCODE: "CNSGH", SMDG: "YSCT", BIC: "CNSHABCDE"}, Terminal("CNSHA", "YSCT")},
		{freight.Place{Name: "Shanghai", SMDG: "YSCT", Facility: "Yangshan"}, ByName("terminal", here.Account, "/Yangshan")},
		{freight.Place{LOCODE: "CNSHA", Facility: "Yangshan"}, ByName("terminal", here.Account, "CNSHA/yangshan")},
		{freight.Place{LOCODE: "CNSHA"}, store.ID{}},
	} {
		if got := here.Facility(tt.place); got != tt.want {
			t.Errorf("%+v is %s, want %s", tt.place, got, tt.want)
		}
	}
	bic := freight.Place{BIC: "CNSHABCDE", Facility: "Yangshan"}
	if here.Facility(bic) != other.Facility(bic) {
		t.Error("a BIC code means one facility in every account")
	}
}

func TestVessel(t *testing.T) {
	named := freight.VesselRef{Name: "Ever  Given"}
	switch {
	case here.Vessel(freight.VesselRef{IMO: "9811000", Name: "Ever Given"}) != Vessel("9811000"):
		t.Error("a vessel with an IMO number is identified by it")
	case here.Vessel(named) != here.Vessel(freight.VesselRef{Name: "EVER GIVEN "}):
		t.Error("spelling matters")
	case here.Vessel(named) == other.Vessel(named):
		t.Error("a name means the same vessel in two accounts")
	case here.Vessel(freight.VesselRef{}) != store.ID{}:
		t.Error("no vessel has an ID")
	}
}

// TestStoredIDs: clients have stored these IDs, so they never change.
func TestStoredIDs(t *testing.T) {
	for got, want := range map[string]string{
		Port("CNSHA").String():                                      "ea102046-86a8-53d8-96f8-4b13cb7d2bd9",
		Line("MAEU").String():                                       "bca49391-3416-512b-a811-472617d604fa",
		Vessel("9811000").String():                                  "0dd7daff-9db5-5b15-8c1f-c1c739de3dae",
		Terminal("USLAX", "WBCT").String():                          "b6e255eb-ea5c-5679-b271-45d5c1de9d16",
		here.Vessel(freight.VesselRef{Name: "Ever Given"}).String(): "9585bc25-d3ad-562b-83ae-d5a9d2abec47",
	} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
