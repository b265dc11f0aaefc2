package tracking

// RequestType says what kind of number a request is made with.
type RequestType string

// The types of numbers. Container numbers are beta.
const (
	BillOfLading    RequestType = "bill_of_lading"
	BookingNumber   RequestType = "booking_number"
	ContainerNumber RequestType = "container"
)

// RequestStatus is the state of a tracking request (contract 3.1).
type RequestStatus string

// The states of a tracking request.
const (
	RequestPending          RequestStatus = "pending"
	RequestAwaitingManifest RequestStatus = "awaiting_manifest"
	RequestCreated          RequestStatus = "created"
	RequestFailed           RequestStatus = "failed"
	RequestStopped          RequestStatus = "tracking_stopped"
)

// FailedReason says why a request failed, or why its last try did (contract 1.12).
type FailedReason string

// The reasons. Those marked temporary do not end a request by themselves.
const (
	BookingCancelled     FailedReason = "booking_cancelled"
	DuplicateRequest     FailedReason = "duplicate"
	RequestExpired       FailedReason = "expired"
	ProcessingError      FailedReason = "internal_processing_error" // temporary
	InvalidNumber        FailedReason = "invalid_number"
	NumberNotFound       FailedReason = "not_found" // temporary for seven days, but for containers
	RetriesExhausted     FailedReason = "retries_exhausted"
	LineUnreachable      FailedReason = "shipping_line_unreachable" // temporary
	UnrecognizedResponse FailedReason = "unrecognized_response"     // temporary
	DataUnavailable      FailedReason = "data_unavailable"
	SCACAutoDetectFailed FailedReason = "scac_auto_detect_failed"
)
