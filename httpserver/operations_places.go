package httpserver

import (
	"net/http"

	"github.com/landfallhq/tracking"
)

// What is said of bulk requests.
type (
	bulkRequestsBody struct {
		// Data has 1 to 100 tracking requests, each as the data of POST /tracking_requests.
		Data []map[string]any `json:"data"`
	}
	bulkRequestsDoc struct {
		// Results in the order of the items: each what the answer to a single request would have been, with its status.
		Results []map[string]any `json:"results"`
		Meta    struct {
			Total     int `json:"total"`
			Succeeded int `json:"succeeded"`
			Failed    int `json:"failed"`
		} `json:"meta"`
	}
)

var (
	queryParam     = param{name: "query", description: "What is looked for: the beginning of a number, name or reference, or from 4 characters on what stands within it.", required: true}
	portParam      = param{name: "port_id", description: "The ID of the port that it goes to.", required: true}
	previousParam  = param{name: "previous_port_id", description: "The ID of the port that it comes from.", required: true}
	latitudeParam  = param{name: "latitude", description: "Where it is, in degrees.", required: true}
	longitudeParam = param{name: "longitude", description: "Where it is, in degrees.", required: true}
)

var placeOperations = map[string]operation{
	"GET /containers/{id}/map_geojson": {id: "getContainerMap", tag: "Containers", summary: "Get the map of a container", response: plainObject[tracking.Map](), details: "GeoJSON. The lines between ports are schematic."},
	"GET /containers/{id}/route":       {id: "getContainerRoute", tag: "Containers", summary: "Get the route of a container", response: resourceOf("route")},
	"POST /tracking_requests/bulk": {id: "createTrackingRequests", tag: "Tracking requests", summary: "Create tracking requests in bulk", response: plainObject[bulkRequestsDoc](), body: plainBody[bulkRequestsBody](),
		details: "Each counts in the limit, for which there must be room for all; then each succeeds or fails by itself."},
	"GET /search": {id: "search", tag: "Search", summary: "Search", response: listOf("search_result"), params: []param{queryParam}, details: "At most 25, the best first."},

	"GET /ports":            {id: "listPorts", tag: "Reference", summary: "List ports", response: listOf("port")},
	"GET /metro_areas/{id}": {id: "getMetroArea", tag: "Reference", summary: "Get a metro area", response: resourceOf("metro_area"), details: "By its ID or UN/LOCODE."},
	"GET /terminals":        {id: "listTerminals", tag: "Reference", summary: "List terminals", response: listOf("terminal")},
	"GET /vessels":          {id: "listVessels", tag: "Reference", summary: "List vessels", response: listOf("vessel")},
	"GET /vessels/{id}/future_positions": {id: "listVesselFuturePositions", tag: "Reference", summary: "Get the expected positions of a vessel", response: response{status: http.StatusOK, typ: "vessel"},
		params: []param{portParam, previousParam}, details: "403 where the server has no source of positions."},
	"GET /vessels/{id}/future_positions_with_coordinates": {id: "listVesselFuturePositionsFromPlace", tag: "Reference", summary: "Get the expected positions of a vessel from a place", response: response{status: http.StatusOK, typ: "vessel"},
		params: []param{portParam, previousParam, latitudeParam, longitudeParam}, details: "403 where the server has no source of positions."},
}
