/** Spans: the files of tracing systems, and how they become requests and are made of them. */
package org.terrace.tracing.span;
