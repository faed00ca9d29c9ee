/**
 * The measurements of soft state in the service tier repeated: the cart over replicated collections
 * and over databases, staleness under overload, and the pet store's seven services.
 */
package org.terrace.studies.softstate;
