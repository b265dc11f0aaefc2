// Package mcpserver gives assistants a Landfall server as tools of the Model Context
// Protocol (MCP), over stdio or as streamable HTTP.
//
// It calls the interface under /v2 with the key of the caller, and has no other way to
// data: permissions, limits and errors are those of the interface. [New] makes the tools
// from a Config; [Server.Handler] serves them over HTTP and [Server.ServeStream] over a pair of
// streams.
//
//	tools := mcpserver.New(mcpserver.Config{Transport: mcpserver.InProcess(api), URL: "http://landfall/v2"})
//	http.Handle("/mcp", tools.Handler())
//
// # Answers
//
// An answer begins with sentences for people: times in the zone of the place or of the reader,
// how old a statement is, and what is not known. A figure that the interface does not have is
// null and not estimated. Texts of carriers, documents and people stand in quotation marks,
// without invisible characters, and the answer says that they are data and no instructions.
//
// The names and the shapes of tools, prompts and resources are in docs/agents.md.
package mcpserver
