package main

// The fields of the rows, in the order of their columns: what a hand-written Scan lists.

func (s *shipmentRow) fields() []any {
	return append([]any{
		&s.Seq, &s.ID, &s.Account, &s.PortOfLading, &s.PortOfDischarge, &s.PODTerminal, &s.Destination,
		&s.DestinationTerminal, &s.StoppedBy,
	}, s.shipmentAttributes.fields()...)
}

func (s *shipmentAttributes) fields() []any {
	return []any{
		&s.CreatedAt, &s.UpdatedAt, (*[]byte)(&s.RefNumbers), (*[]byte)(&s.Tags), &s.BillOfLadingNumber,
		&s.NormalizedNumber, &s.ShippingLineSCAC, &s.ShippingLineName, &s.ShippingLineShortName, &s.CustomerName,
		&s.PortOfLadingLOCODE, &s.PortOfLadingName, &s.PortOfDischargeLOCODE, &s.PortOfDischargeName,
		&s.PODVesselName, &s.PODVesselIMO, &s.PODVoyageNumber, &s.DestinationLOCODE, &s.DestinationName, &s.POLETDAt,
		&s.POLATDAt, &s.PODETAAt, &s.PODOriginalETAAt, &s.PODATAAt, &s.DestinationETAAt, &s.DestinationATAAt,
		&s.POLTimezone, &s.PODTimezone, &s.DestinationTimezone, &s.LineTrackingLastAttempted,
		&s.LineTrackingLastSucceeded, &s.LineTrackingStoppedAt, &s.LineTrackingStoppedReason, &s.LineTrackingFailedReason,
		&s.PODETASource, (*[]byte)(&s.PODETABand), &s.PromisedArrivalAt, &s.RemovedAt,
	}
}

func (c *containerRow) fields() []any {
	return append([]any{
		&c.Seq, &c.ID, &c.Shipment, &c.PickupFacility, &c.PODTerminal,
	}, c.containerAttributes.fields()...)
}

func (c *containerAttributes) fields() []any {
	return []any{
		&c.Number, (*[]byte)(&c.RefNumbers), &c.SealNumber, &c.CreatedAt, &c.UpdatedAt, &c.EquipmentType,
		&c.EquipmentLength, &c.EquipmentHeight, &c.WeightInLbs, &c.CurrentStatus, &c.AvailabilityKnown,
		&c.AvailableForPickup, &c.PickupLFD, &c.PickupLFDEarliest, &c.PickupAppointmentAt, &c.PODArrivedAt,
		&c.PODDischargedAt, &c.PODFullOutAt, &c.PODFullOutChassis, &c.LocationAtPODTerminal,
		&c.FinalDestinationFullOutAt, &c.EmptyTerminatedAt, &c.TerminalCheckedAt, (*[]byte)(&c.HoldsAtPODTerminal),
		(*[]byte)(&c.FeesAtPODTerminal), &c.PODTimezone, &c.FinalDestinationTimezone, &c.EmptyTerminatedTimezone,
		&c.PODRailCarrierSCAC, &c.INDRailCarrierSCAC, &c.PODLastTrackingRequestAt, &c.ShipmentLastTrackingRequestAt,
		&c.PODRailLoadedAt, &c.PODRailDepartedAt, &c.INDETAAt, &c.INDATAAt, &c.INDRailUnloadedAt,
		&c.INDFacilityLFDOn, (*[]byte)(&c.ImportDeadlines), &c.EmptyOutAt, &c.POLFullInAt, &c.POLVesselLoadedAt,
		&c.POLVesselDepartedAt, &c.DeliveredAt, &c.RemovedAt, &c.NextMilestone,
		&c.NextMilestoneDueAt, &c.NextMilestoneExpectedAt, &c.NextMilestoneLocation, (*[]byte)(&c.Overdue),
	}
}

func (p *portRow) fields() []any {
	return append([]any{
		&p.Seq, &p.ID,
	}, p.portAttributes.fields()...)
}

func (p *portAttributes) fields() []any {
	return []any{
		&p.Name, &p.Code, &p.StateAbbr, &p.City, &p.CountryCode, &p.TimeZone, &p.Latitude, &p.Longitude,
	}
}

func (t *terminalRow) fields() []any {
	return append([]any{
		&t.Seq, &t.ID, &t.Port,
	}, t.terminalAttributes.fields()...)
}

func (t *terminalAttributes) fields() []any {
	return []any{
		&t.Name, &t.Nickname, &t.FIRMSCode, &t.SMDGCode, &t.BICFacilityCode, &t.Street, &t.City, &t.State,
		&t.StateAbbr, &t.Zip, &t.Country,
	}
}
