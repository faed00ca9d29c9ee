/** What a service's interface registers: its methods, and the types that may travel. */
package org.terrace.invocation.method;
