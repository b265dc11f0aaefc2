package messagetemplate

import (
	"fmt"
	"text/template"
	"text/template/parse"
)

// limit makes a template count its steps: the body of each range and each template that is called
// begins with a call of step. The text of each action goes through show.
func limit(t *template.Template) error {
	for _, defined := range t.Templates() {
		if defined.Tree == nil || defined.Root == nil {
			continue
		}
		l := &limiter{}
		size := l.list(defined.Root)
		if l.err != nil {
			return l.err
		}
		prepend(defined.Root, size+invocation)
	}
	return nil
}

// limiter goes through the tree of a template.
type limiter struct{ err error }

// list prepares a list of nodes, and returns how many parts it has without the bodies of ranges,
// which count for themselves.
func (l *limiter) list(nodes *parse.ListNode) (size int) {
	if nodes == nil {
		return 0
	}
	for _, n := range nodes.Nodes {
		size += 1 + l.node(n)
	}
	return size
}

func (l *limiter) node(n parse.Node) int {
	switch n := n.(type) {
	case *parse.ActionNode:
		size := l.pipe(n.Pipe)
		if len(n.Pipe.Decl) == 0 { // its value is written
			n.Pipe.Cmds = append(n.Pipe.Cmds, command(n.Pos, "show"))
		}
		return size
	case *parse.IfNode:
		return l.branch(&n.BranchNode)
	case *parse.WithNode:
		return l.branch(&n.BranchNode)
	case *parse.RangeNode:
		prepend(n.List, l.list(n.List)+1)
		return l.pipe(n.Pipe) + l.list(n.ElseList)
	case *parse.TemplateNode:
		return l.pipe(n.Pipe)
	}
	return 0
}

func (l *limiter) branch(b *parse.BranchNode) int {
	return l.pipe(b.Pipe) + l.list(b.List) + l.list(b.ElseList)
}

// pipe counts the words of a pipeline, also those in parentheses.
func (l *limiter) pipe(p *parse.PipeNode) (size int) {
	if p == nil {
		return 0
	}
	for _, c := range p.Cmds {
		for _, arg := range c.Args {
			size += 1 + l.argument(arg)
		}
	}
	return size
}

func (l *limiter) argument(n parse.Node) int {
	switch n := n.(type) {
	case *parse.PipeNode:
		return l.pipe(n)
	case *parse.ChainNode:
		return l.argument(n.Node)
	case *parse.IdentifierNode:
		if n.Ident == "step" || n.Ident == "show" {
			l.err = &Error{Detail: fmt.Sprintf("function %q not defined", n.Ident)}
		}
	}
	return 0
}

// prepend makes a list begin with a call of step.
func prepend(list *parse.ListNode, steps int) {
	pos := list.Pos
	cmd := command(pos, "step", &parse.NumberNode{NodeType: parse.NodeNumber, Pos: pos, IsInt: true, Int64: int64(steps), Text: fmt.Sprint(steps)})
	step := &parse.ActionNode{NodeType: parse.NodeAction, Pos: pos, Pipe: &parse.PipeNode{NodeType: parse.NodePipe, Pos: pos, Cmds: []*parse.CommandNode{cmd}}}
	list.Nodes = append([]parse.Node{step}, list.Nodes...)
}

// command is a call of a function, at the position of the part that it stands for.
func command(pos parse.Pos, function string, args ...parse.Node) *parse.CommandNode {
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: pos, Args: append([]parse.Node{parse.NewIdentifier(function).SetPos(pos)}, args...)}
}
