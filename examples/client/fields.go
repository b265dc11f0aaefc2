package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/landfallhq/tracking"
	"github.com/landfallhq/tracking/client"
)

// order stores a purchase order number as a custom field of the shipment, and finds
// the shipment by it.
func order(ctx context.Context, out io.Writer, c *client.Client, s *tracking.Shipment, number string) error {
	_, err := c.CreateCustomFieldDefinition(ctx, tracking.NewCustomFieldDefinition{
		EntityType: tracking.ShipmentEntity, APISlug: "po", DisplayName: "Purchase order", DataType: tracking.ShortTextField,
	})
	var refused *client.Error
	if err != nil && !(errors.As(err, &refused) && refused.Has("taken")) { // "taken": it exists already
		return err
	}
	value, err := tracking.FieldJSON(number)
	if err != nil {
		return err
	}
	if _, err := c.SetCustomField(ctx, tracking.NewCustomField{
		Entity: tracking.Entity{Type: tracking.ShipmentEntity, ID: s.ID}, APISlug: "po", Value: value,
	}); err != nil {
		return err
	}
	var q tracking.ShipmentQuery
	q.CustomFields = []tracking.FieldCondition{{Slug: "po", Values: []string{number}}}
	for found, err := range c.Shipments(q).All(ctx) {
		if err != nil {
			return err
		}
		fmt.Fprintln(out, number, "is on", found.BillOfLadingNumber)
	}
	return nil
}
