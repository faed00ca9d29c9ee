/** A replica: dispatch of calls, and their execution once for each identity. */
package org.terrace.invocation.server;
