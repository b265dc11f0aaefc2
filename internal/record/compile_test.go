package record_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/landfallhq/tracking/internal/record"
)

func TestFields(t *testing.T) {
	type rec struct {
		ID  uuid.UUID `id:""`
		X   string
		A   string      `attr:"a,null"`
		T   time.Time   `attr:"t"`
		One uuid.UUID   `rel:"one,port"`
		P   int         `private:"p"`
		M   []uuid.UUID `rel:"many,container"`
		_   struct{}    `rel:"inv,raw_event,inverse"`
		R   record.Ref  `rel:"poly,port|metro_area"`
		B   bool        `attr:"b"`
	}
	c := record.For[rec]("rec")
	if c.Type() != "rec" {
		t.Errorf("Type is %q", c.Type())
	}
	var got []string
	for _, f := range c.Fields() {
		got = append(got, strings.TrimSpace(fmt.Sprintln(f.Kind, f.Name, f.Null, f.Types, f.Many, f.Inverse, f.GoType)))
	}
	want := []string{
		"id id false [] false false uuid.UUID",
		"attr a true [] false false string",
		"attr t true [] false false time.Time",
		"rel one true [port] false false uuid.UUID",
		"private p false [] false false int",
		"rel many false [container] true false []uuid.UUID",
		"rel inv false [raw_event] true true <nil>",
		"rel poly true [port metro_area] false false record.Ref",
		"attr b false [] false false bool",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	if f, ok := c.Relationship("inv"); !ok || !f.Inverse || f.GoType != nil {
		t.Errorf("Relationship(inv): %+v, %v", f, ok)
	}
	if _, ok := c.Relationship("a"); ok {
		t.Error("an attribute is found as a relationship")
	}
	if f := c.Fields()[0]; f.GoType != reflect.TypeFor[uuid.UUID]() {
		t.Errorf("GoType of the id: %v", f.GoType)
	}
}

func TestRevision(t *testing.T) {
	type base struct {
		ID uuid.UUID `id:""`
		A  string    `attr:"a"`
		B  int       `attr:"b"`
	}
	type nested struct {
		N string `json:"n"`
	}
	type nestedMore struct {
		N string `json:"n"`
		M string `json:"m"`
	}
	type other struct { // the same but for the Go names
		Key   boxID  `id:""`
		Alpha status `attr:"a"`
		Beta  int    `attr:"b"`
		Extra string
	}
	if a, b := record.For[base]("rec").Revision(), record.For[other]("rec").Revision(); a != b {
		t.Errorf("renaming Go fields and types changed the revision: %s, %s", a, b)
	}
	revisions := map[string]string{
		"base": record.For[base]("rec").Revision(),
		"type": record.For[base]("rec2").Revision(),
		"option": record.For[struct {
			ID uuid.UUID `id:""`
			A  string    `attr:"a,null"`
			B  int       `attr:"b"`
		}]("rec").Revision(),
		"name": record.For[struct {
			ID uuid.UUID `id:""`
			A  string    `attr:"aa"`
			B  int       `attr:"b"`
		}]("rec").Revision(),
		"order": record.For[struct {
			ID uuid.UUID `id:""`
			B  int       `attr:"b"`
			A  string    `attr:"a"`
		}]("rec").Revision(),
		"go type": record.For[struct {
			ID uuid.UUID `id:""`
			A  string    `attr:"a"`
			B  int64     `attr:"b"`
		}]("rec").Revision(),
		"private": record.For[struct {
			ID uuid.UUID `id:""`
			A  string    `attr:"a"`
			B  int       `private:"b"`
		}]("rec").Revision(),
		"added": record.For[struct {
			ID uuid.UUID `id:""`
			A  string    `attr:"a"`
			B  int       `attr:"b"`
			C  uuid.UUID `rel:"c,port"`
		}]("rec").Revision(),
		"target": record.For[struct {
			ID uuid.UUID `id:""`
			A  string    `attr:"a"`
			B  int       `attr:"b"`
			C  uuid.UUID `rel:"c,ship"`
		}]("rec").Revision(),
		"many": record.For[struct {
			ID uuid.UUID   `id:""`
			A  string      `attr:"a"`
			B  int         `attr:"b"`
			C  []uuid.UUID `rel:"c,ship"`
		}]("rec").Revision(),
		"nested": record.For[struct {
			ID uuid.UUID `id:""`
			A  nested    `attr:"a"`
		}]("rec").Revision(),
		"nested field": record.For[struct {
			ID uuid.UUID  `id:""`
			A  nestedMore `attr:"a"`
		}]("rec").Revision(),
	}
	seen := map[string]string{}
	for name, r := range revisions {
		if len(r) != 12 || seen[r] != "" {
			t.Errorf("%s: revision %q, also of %s", name, r, seen[r])
		}
		seen[r] = name
	}
}

func TestRecursiveType(t *testing.T) {
	type node struct {
		Name string
		Next []node
	}
	type rec struct {
		ID uuid.UUID `id:""`
		N  node      `attr:"n"`
	}
	c := record.For[rec]("rec")
	doc, _ := c.Encode(&rec{N: node{"a", []node{{Name: "b"}}}})
	var v rec
	if err := c.Decode(doc, nil, &v); err != nil || v.N.Next[0].Name != "b" {
		t.Errorf("got %+v, %v", v, err)
	}
}

type embedded struct {
	A string `attr:"a"`
}

func TestEmbedded(t *testing.T) {
	type rec struct {
		ID uuid.UUID `id:""`
		embedded
	}
	c := record.For[rec]("rec")
	doc, _ := c.Encode(&rec{embedded: embedded{A: "x"}})
	var v rec
	if err := c.Decode(doc, nil, &v); err != nil || v.A != "x" {
		t.Errorf("got %+v, %v", v, err)
	}
}

type reader interface{ Read([]byte) (int, error) }

func TestBadTags(t *testing.T) {
	type pointed struct {
		A string `attr:"a"`
	}
	for name, f := range map[string]func(){
		"no struct":     func() { record.For[int]("rec") },
		"no id":         func() { record.For[struct{ A int }]("rec") },
		"resource type": func() { record.For[embeddedID](`re"c`) },
		"id type": func() {
			bad[struct {
				ID int `id:""`
			}]()
		},
		"id value": func() {
			bad[struct {
				ID string `id:"x"`
			}]()
		},
		"two ids": func() {
			bad[struct {
				ID, B string `id:""`
			}]()
		},
		"no name": func() {
			bad[struct {
				embeddedID
				A string `attr:""`
			}]()
		},
		"odd name": func() {
			bad[struct {
				embeddedID
				A string `attr:"a b"`
			}]()
		},
		"option": func() {
			bad[struct {
				embeddedID
				A string `attr:"a,nul"`
			}]()
		},
		"empty option": func() {
			bad[struct {
				embeddedID
				A string `attr:"a,"`
			}]()
		},
		"private option": func() {
			bad[struct {
				embeddedID
				A string `private:"a,null"`
			}]()
		},
		"unexported": func() {
			bad[struct {
				embeddedID
				a string `attr:"a"`
			}]()
		},
		"two tags": func() {
			bad[struct {
				embeddedID
				A string `attr:"a" private:"a"`
			}]()
		},
		"twice": func() {
			bad[struct {
				embeddedID
				A string `attr:"a"`
				B string `attr:"a"`
			}]()
		},
		"attr and rel": func() {
			bad[struct {
				embeddedID
				A string    `attr:"a"`
				B uuid.UUID `rel:"a,port"`
			}]()
		},
		"rel no type": func() {
			bad[struct {
				embeddedID
				A uuid.UUID `rel:"a"`
			}]()
		},
		"rel empty type": func() {
			bad[struct {
				embeddedID
				A record.Ref `rel:"a,port|"`
			}]()
		},
		"rel option": func() {
			bad[struct {
				embeddedID
				A uuid.UUID `rel:"a,port,null"`
			}]()
		},
		"rel go type": func() {
			bad[struct {
				embeddedID
				A string `rel:"a,port"`
			}]()
		},
		"rel two types": func() {
			bad[struct {
				embeddedID
				A uuid.UUID `rel:"a,port|ship"`
			}]()
		},
		"inverse field": func() {
			bad[struct {
				embeddedID
				A struct{} `rel:"a,port,inverse"`
			}]()
		},
		"blank": func() {
			bad[struct {
				embeddedID
				_ uuid.UUID `rel:"a,port"`
			}]()
		},
		"chan": func() {
			bad[struct {
				embeddedID
				A chan int `attr:"a"`
			}]()
		},
		"nested func": func() {
			bad[struct {
				embeddedID
				A []struct{ F func() } `attr:"a"`
			}]()
		},
		"interface": func() {
			bad[struct {
				embeddedID
				A reader `attr:"a"`
			}]()
		},
		"map key": func() {
			bad[struct {
				embeddedID
				A map[float64]int `attr:"a"`
			}]()
		},
		"behind pointer": func() {
			bad[struct {
				embeddedID
				*pointed
			}]()
		},
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.HasPrefix(fmt.Sprint(r), "record: ") {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			f()
		}()
	}
}

type embeddedID struct {
	ID uuid.UUID `id:""`
}

func bad[T any]() { record.For[T]("rec") }
