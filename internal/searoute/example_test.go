package searoute_test

import (
	"fmt"

	"github.com/landfallhq/tracking/freight"
	"github.com/landfallhq/tracking/internal/searoute"
)

func ExampleBetween() {
	singapore := freight.Point{Latitude: 1.28, Longitude: 103.85}
	rotterdam := freight.Point{Latitude: 51.92, Longitude: 4.5}
	for _, avoiding := range [][]searoute.Passage{nil, {searoute.Suez}} {
		r, err := searoute.Between(singapore, rotterdam, avoiding...)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.0f nautical miles through %v\n", r.NauticalMiles, r.Passages)
	}
	// Output:
	// 8390 nautical miles through [malacca bab_el_mandeb suez gibraltar]
	// 11878 nautical miles through [sunda cape_of_good_hope]
}
