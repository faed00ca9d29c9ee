/** The values in the bytes of requests that recur from tier to tier. */
@org.jspecify.annotations.NullMarked
package org.terrace.protocols.values;
