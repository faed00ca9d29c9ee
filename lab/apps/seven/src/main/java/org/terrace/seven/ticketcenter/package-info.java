/** Ticket Center: express buses, their seats, and who travels. */
@org.jspecify.annotations.NullMarked
package org.terrace.seven.ticketcenter;
