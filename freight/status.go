package freight

// ContainerStatus is the current_status of a container (see
// docs/contract.md#statuses-of-a-container).
type ContainerStatus string

// The values of current_status. The legacy values dropped and loaded are accepted in
// filters and never given.
const (
	StatusNew                    ContainerStatus = "new"
	StatusOnShip                 ContainerStatus = "on_ship"
	StatusAvailable              ContainerStatus = "available"
	StatusNotAvailable           ContainerStatus = "not_available"
	StatusGrounded               ContainerStatus = "grounded"
	StatusOnRail                 ContainerStatus = "on_rail"
	StatusPickedUp               ContainerStatus = "picked_up"
	StatusOffDock                ContainerStatus = "off_dock"
	StatusDelivered              ContainerStatus = "delivered"
	StatusEmptyReturned          ContainerStatus = "empty_returned"
	StatusAwaitingInlandTransfer ContainerStatus = "awaiting_inland_transfer"
)
