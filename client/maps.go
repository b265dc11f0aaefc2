package client

import (
	"context"
	"net/http"

	"github.com/landfallhq/tracking"
)

// ContainerMap draws the way of a container by sea, as GeoJSON: coordinates are
// degrees, longitude first (WGS84). Properties are a map[string]any, and coordinates
// lists of float64, as encoding/json reads them. Errors: NotFound; ErrUnavailable
// when positions cannot be had.
func (c *Client) ContainerMap(ctx context.Context, id tracking.ID) (*tracking.Map, error) {
	return getObject[*tracking.Map](ctx, c, request{method: http.MethodGet, path: recordPath(containersPath, id, "map_geojson")})
}

// ContainerRoute returns the way of a container, port by port, with its Locations;
// times are UTC. include may have "port" and "vessel" for what these name. A route of
// which a stop is missing is an error: it would be another route. Errors: NotFound;
// BadQuery on include.
func (c *Client) ContainerRoute(ctx context.Context, id tracking.ID, include ...string) (Answer[tracking.SeaRoute], error) {
	query := includeValues(append([]string{"route_location"}, include...))
	answer, err := getAnswer[tracking.SeaRoute](ctx, c, request{method: http.MethodGet, path: recordPath(containersPath, id, "route"), query: query})
	if err != nil {
		return answer, err
	}
	for _, stop := range answer.Record.Stops {
		l, err := Find[tracking.RouteLocation](answer.Included, stop)
		if err != nil {
			return answer, err
		}
		answer.Record.Locations = append(answer.Record.Locations, l)
	}
	return answer, nil
}
