package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// decodeStrict decodes a JSON value into v as encoding/json does, but rejects unknown and
// repeated members, and names the path of the member in its errors.
func decodeStrict(text json.RawMessage, path string, v reflect.Value) error {
	if _, own := v.Addr().Interface().(json.Unmarshaler); own {
		return decodeScalar(text, path, v)
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return decodeStrict(text, path, v.Elem())
	case reflect.Struct:
		return eachMember(text, path, func(name string, value json.RawMessage) error {
			field := fieldByTag(v, name)
			if !field.IsValid() {
				return fmt.Errorf("%s: unknown setting%s", memberPath(path, name), didYouMean(name, membersOf(v)))
			}
			return decodeStrict(value, memberPath(path, name), field)
		})
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		return eachMember(text, path, func(name string, value json.RawMessage) error {
			element := reflect.New(v.Type().Elem()).Elem()
			err := decodeStrict(value, memberPath(path, name), element)
			v.SetMapIndex(reflect.ValueOf(name), element)
			return err
		})
	case reflect.Slice:
		var elements []json.RawMessage
		if err := json.Unmarshal(text, &elements); err != nil || elements == nil {
			return fmt.Errorf("%s must be an array", path)
		}
		v.Set(reflect.MakeSlice(v.Type(), len(elements), len(elements)))
		for i, element := range elements {
			if err := decodeStrict(element, fmt.Sprintf("%s[%d]", path, i), v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	return decodeScalar(text, path, v)
}

// decodeScalar decodes a string, a number, a boolean, or a value with its own
// UnmarshalJSON.
func decodeScalar(text json.RawMessage, path string, v reflect.Value) error {
	err := json.Unmarshal(text, v.Addr().Interface())
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong), err == nil && string(text) == "null":
		return fmt.Errorf("%s must be %s", path, scalarNames[v.Kind()])
	case err != nil:
		return fmt.Errorf("%s %w", path, err)
	}
	return nil
}

// scalarNames describe the kinds of settings in messages.
var scalarNames = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Bool: "true or false", reflect.Int: "a whole number", reflect.Float64: "a number",
}

// eachMember calls do for each member of an object, in order.
func eachMember(text json.RawMessage, path string, do func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("%s must be an object", path)
	}
	var seen []string
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		name := token.(string)
		if slices.Contains(seen, name) {
			return fmt.Errorf("%s is set twice", memberPath(path, name))
		}
		seen = append(seen, name)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := do(name, value); err != nil {
			return err
		}
	}
	return nil
}

// fieldByTag returns the field of a struct with that name in its JSON tag.
func fieldByTag(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		if tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); tag == name && tag != "" {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

// membersOf are the names in the JSON tags of a struct.
func membersOf(v reflect.Value) (names []string) {
	for i := range v.NumField() {
		if tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); tag != "" {
			names = append(names, tag)
		}
	}
	return names
}

func memberPath(path, name string) string { return path + "." + name }
