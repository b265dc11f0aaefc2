package httpserver

import (
	"slices"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/jsonapi"
)

var acceptShipments = jsonapi.Accept{
	Page: true, Include: true, Sorts: trackedSorts,
	Filters: slices.Concat([]string{"tracking_stopped"}, trackedFilters),
}

func shipmentQuery(f *filters) tracking.Query {
	return tracking.ShipmentQuery{
		Number:       f.param("number"),
		Search:       f.param("q"),
		Stopped:      f.tri("tracking_stopped"),
		TrackedQuery: f.tracked(),
	}
}

func shipmentUpdate(in *input) tracking.ShipmentUpdate {
	in.TypeIfSet("shipment")
	return tracking.ShipmentUpdate{
		RefNumbers: opt(in.Strings("ref_numbers")),
		Tags:       opt(in.Strings("tags")),
		Customer:   in.readCustomer(),
		IfVersion:  in.ifVersion,
	}
}
