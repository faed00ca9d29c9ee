/** Pages: connections, HTTP responses, and the links and forms in them. */
package org.terrace.load.page;
