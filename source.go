package tracking

import "github.com/landfallhq/tracking/freight"

// Sources maps the SCAC of a shipping line to the source that answers for it.
type Sources map[string]Source

// What stands in signatures and fields of this package is here under its own name;
// the constants are in package freight.
type (
	Report          = freight.Report
	Fact            = freight.Fact
	Moment          = freight.Moment
	Place           = freight.Place
	VesselRef       = freight.VesselRef
	ShipmentNumber  = freight.ShipmentNumber
	Hold            = freight.Hold
	Fee             = freight.Fee
	Warning         = freight.Warning
	DataSource      = freight.DataSource
	Mode            = freight.Mode
	EventName       = freight.EventName
	ContainerStatus = freight.ContainerStatus
	RequestType     = freight.RequestType
	FailedReason    = freight.FailedReason
	Source          = freight.Source
	SourceQuery     = freight.SourceQuery
	Answer          = freight.Answer
	SourceError     = freight.SourceError
	Positions       = freight.Positions
	Position        = freight.Position
	Point           = freight.Point
)

// The types of numbers.
const (
	BillOfLading    = freight.BillOfLading
	BookingNumber   = freight.BookingNumber
	ContainerNumber = freight.ContainerNumber
)
