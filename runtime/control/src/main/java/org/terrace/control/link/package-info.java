/** Framed connections, which the processes of the infrastructure talk over. */
package org.terrace.control.link;
