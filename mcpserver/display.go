package mcpserver

// column is a column that a list can be shown with.
type column struct {
	Key         string `json:"key"`
	Label       string `json:"label"`
	Path        string `json:"path"`
	Description string `json:"description,omitempty"`
}

// display says how a list is shown as a table.
type display struct {
	DefaultColumns        []string       `json:"default_columns"`
	Sort                  []sortedBy     `json:"sort"`
	EmptyState            string         `json:"empty_state"`
	ColumnCatalogResource string         `json:"column_catalog_resource"`
	ColumnSets            []namedColumns `json:"column_sets"`
}

type sortedBy struct {
	Key       string `json:"key"`
	Direction string `json:"direction"`
}

type namedColumns struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
}

// columns are those of each list. A test looks each path up in a row.
var columns = map[string][]column{
	"container": {
		{"number", "Container", "number", ""},
		{"status", "Status", "currentStatus", ""},
		{"bill_of_lading", "Bill of lading", "shipment.billOfLading", ""},
		{"line", "Line", "shipment.shippingLineScac", "SCAC"},
		{"available", "Available", "location.availableForPickup", "null: not known"},
		{"last_free_day", "Last free day", "demurrage.pickupLfd", "the midnight that begins it at the place, in UTC"},
		{"holds", "Holds", "demurrage.holds", ""},
		{"discharged", "Discharged", "podDischargedAt", "UTC"},
		{"next", "Expected next", "nextMilestone", ""},
		{"overdue", "Overdue", "overdue", "the expected milestone is not reported in time"},
	},
	"shipment": {
		{"bill_of_lading", "Bill of lading", "billOfLading", ""},
		{"line", "Line", "shippingLineScac", "SCAC"},
		{"from", "From", "portOfLadingName", ""},
		{"to", "To", "portOfDischargeName", ""},
		{"eta", "ETA", "podEtaAt", "UTC"},
		{"ata", "Arrived", "podAtaAt", "UTC"},
		{"vessel", "Vessel", "vesselAtPod.name", ""},
		{"last_answer", "Last answer of the line", "tracking.lineTrackingLastSucceededAt", "UTC"},
	},
	"tracking_request": {
		{"number", "Number", "requestNumber", ""},
		{"type", "Type", "requestType", ""},
		{"line", "Line", "scac", "SCAC"},
		{"status", "Status", "status", ""},
		{"failed_reason", "Reason of the failure", "failedReason", ""},
		{"created", "Made", "createdAt", "UTC"},
	},
}

// displayOf says how the list of a resource type is shown.
func displayOf(typ string) *display {
	sets := map[string][]namedColumns{
		"container":        {{"pick-up", []string{"number", "available", "last_free_day", "holds"}}, {"under way", []string{"number", "status", "next", "overdue"}}},
		"shipment":         {{"arrivals", []string{"bill_of_lading", "to", "eta", "vessel"}}},
		"tracking_request": {{"failures", []string{"number", "line", "failed_reason"}}},
	}
	first := []string{}
	for _, c := range columns[typ][:4] {
		first = append(first, c.Key)
	}
	return &display{
		DefaultColumns: first, Sort: []sortedBy{{"created_at", "desc"}}, EmptyState: "There are none.",
		ColumnCatalogResource: columnsURI, ColumnSets: sets[typ],
	}
}
