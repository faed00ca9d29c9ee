/**
 * One call, many replicas: a service is a Java interface and its implementation, a client gets a
 * typed stub by name, and the death of a replica costs milliseconds and no effect twice.
 */
package org.terrace.invocation;
