package mcpserver

import (
	"context"
	_ "embed"
	"encoding/json"
	"math"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The card of a route: a page that assistants with a screen show with the answer (MCP Apps).
const (
	cardURI  = "ui://landfall/route"
	cardType = "text/html;profile=mcp-app"
	// cardData is the member of _meta with what the card draws. It does not reach the model.
	cardData = "landfall/route_map"
)

//go:embed card.html
var cardHTML string

// coast has the coasts of the world as lines: Natural Earth 1:110m, which is in the public
// domain, simplified to a quarter of a degree, without the Antarctic and the smallest islands.
//
//go:embed coast.json
var coast string

// cardPage is the whole card: it may load nothing.
var cardPage = strings.Replace(cardHTML, "[/* coast */]", strings.TrimSpace(coast), 1)

// cardMeta names the card of a tool.
var cardMeta = mcp.Meta{"ui": map[string]any{"resourceUri": cardURI}}

// readCard answers reading the card. It is not listed among the resources, which are for reading;
// clients that can show it find its address in the tool.
func readCard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if read, ok := r.(*mcp.ReadResourceRequest); ok && read.Params.URI == cardURI {
			return contentOf(cardURI, cardType, cardPage), nil
		}
		return next(ctx, method, r)
	}
}

// routeMap is what the card draws: the lines of the way, in degrees, longitude first. Past are
// the parts that were sailed. Ship is null where its position is not known.
type routeMap struct {
	Lines []mapLine  `json:"lines"`
	Stops []mapPoint `json:"stops"`
	Ship  *mapPoint  `json:"ship"`
}

type mapLine struct {
	Past   bool         `json:"past"`
	Points [][2]float64 `json:"points"`
}

type mapPoint struct {
	Name  string     `json:"name"`
	Point [2]float64 `json:"point"`
}

// maxLinePoints bounds the points of a line.
const maxLinePoints = 150

// routeMap reads the map of a container; nil if the server has none. An answer is complete
// without it, so that its failure is no failure.
func (c *call) routeMap(ctx context.Context, id string) *routeMap {
	body, err := c.api.Read(ctx, "/containers/"+id+"/map_geojson", url.Values{})
	if err != nil {
		return nil
	}
	var read struct {
		Features []struct {
			Geometry struct {
				Type        string
				Coordinates json.RawMessage
			}
			Properties map[string]any
		}
	}
	if json.Unmarshal(body, &read) != nil {
		return nil
	}
	m := &routeMap{Lines: []mapLine{}, Stops: []mapPoint{}}
	for _, f := range read.Features {
		cleanAll(f.Properties)
		switch f.Geometry.Type {
		case "LineString":
			m.addLine(f.Geometry.Coordinates, f.Properties)
		case "Point":
			m.addPoint(f.Geometry.Coordinates, f.Properties)
		}
	}
	if len(m.Lines)+len(m.Stops) == 0 {
		return nil
	}
	return m
}

// addLine adds a line of the way. A leg that was begun is drawn along the lanes to its end:
// without positions it is not known how much of it was sailed before the ship arrives.
func (m *routeMap) addLine(coordinates json.RawMessage, properties map[string]any) {
	var points [][2]float64
	if json.Unmarshal(coordinates, &points) != nil || len(points) < 2 {
		return
	}
	schematic, _ := properties["schematic"].(bool)
	past := properties["feature_type"] == "past_vessel_locations" && (!schematic || properties["inbound_ata_at"] != nil)
	m.Lines = append(m.Lines, mapLine{past, thinned(points)})
}

// addPoint adds a port or the ship.
func (m *routeMap) addPoint(coordinates json.RawMessage, properties map[string]any) {
	var point [2]float64
	if json.Unmarshal(coordinates, &point) != nil {
		return
	}
	name, _ := properties["name"].(string)
	switch vessel, _ := properties["vessel_name"].(string); {
	case properties["feature_type"] == "current_vessel":
		m.Ship = &mapPoint{orElse(vessel, "vessel"), rounded(point)}
	case name != "":
		m.Stops = append(m.Stops, mapPoint{name, rounded(point)})
	}
}

// thinned leaves points out evenly, but not the ends.
func thinned(points [][2]float64) [][2]float64 {
	step := (len(points) + maxLinePoints - 1) / maxLinePoints
	kept := [][2]float64{}
	for i := 0; i < len(points)-1; i += step {
		kept = append(kept, rounded(points[i]))
	}
	return append(kept, rounded(points[len(points)-1]))
}

// rounded is some 100 m exact.
func rounded(p [2]float64) [2]float64 {
	return [2]float64{math.Round(p[0]*1000) / 1000, math.Round(p[1]*1000) / 1000}
}
