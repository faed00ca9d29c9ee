/** Pages over HTTP: who may ask, for what, and how much. */
package org.terrace.dashboard.http;
