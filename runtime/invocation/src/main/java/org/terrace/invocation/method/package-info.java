/** The methods of a service's interface, and the types that may travel in its calls. */
package org.terrace.invocation.method;
