package mcpserver

import (
	"context"
	_ "embed"
	"encoding/json"
	"math"
	"net/url"

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
var cardPage string

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
// the parts that were sailed.
type routeMap struct {
	Lines []mapLine  `json:"lines"`
	Stops []mapPoint `json:"stops"`
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
		kind, _ := f.Properties["feature_type"].(string)
		switch f.Geometry.Type {
		case "LineString":
			var points [][2]float64
			if json.Unmarshal(f.Geometry.Coordinates, &points) == nil && len(points) > 1 {
				m.Lines = append(m.Lines, mapLine{kind == "past_vessel_locations", thinned(points)})
			}
		case "Point":
			var point [2]float64
			name, _ := f.Properties["name"].(string)
			if json.Unmarshal(f.Geometry.Coordinates, &point) == nil && name != "" {
				m.Stops = append(m.Stops, mapPoint{name, rounded(point)})
			}
		}
	}
	if len(m.Lines)+len(m.Stops) == 0 {
		return nil
	}
	return m
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
