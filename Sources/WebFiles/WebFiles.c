#include "WebFiles.h"

const unsigned char *const landing_html = (const unsigned char[]){
#embed "../../web/landing.html"
, 0};
const unsigned char *const landing_main_html = (const unsigned char[]){
#embed "../../web/landing-main.html"
, 0};
const unsigned char *const landing_css = (const unsigned char[]){
#embed "../../web/landing.css"
, 0};
const unsigned char *const landing_min_js = (const unsigned char[]){
#embed "../../web/landing.min.js"
, 0};
const unsigned char *const landing_invitation_min_js = (const unsigned char[]){
#embed "../../web/landing-invitation.min.js"
, 0};
const unsigned char *const landing_count_min_js = (const unsigned char[]){
#embed "../../web/landing-count.min.js"
, 0};
const unsigned char *const landing_sentences_json = (const unsigned char[]){
#embed "../../web/landing-sentences.json"
, 0};
const unsigned char *const pages_css = (const unsigned char[]){
#embed "../../web/pages.css"
, 0};
const unsigned char *const qr_code_min_js = (const unsigned char[]){
#embed "../../web/qr-code.min.js"
, 0};
const unsigned char *const referral_bridge_js = (const unsigned char[]){
#embed "../../web/referral-bridge.js"
, 0};
const unsigned char *const referral_keep_js = (const unsigned char[]){
#embed "../../web/referral-keep.js"
, 0};
const unsigned char *const referral_keep_min_js = (const unsigned char[]){
#embed "../../web/referral-keep.min.js"
, 0};
const unsigned char *const referral_ct_js = (const unsigned char[]){
#embed "../../web/referral-ct.js"
, 0};
const unsigned char *const referral_ct_min_js = (const unsigned char[]){
#embed "../../web/referral-ct.min.js"
, 0};
const unsigned char *const sheet_html = (const unsigned char[]){
#embed "../../web/sheet.html"
, 0};
const unsigned char *const sheet_css = (const unsigned char[]){
#embed "../../web/sheet.css"
, 0};
const unsigned char *const sheet_page_css = (const unsigned char[]){
#embed "../../web/sheet-page.css"
, 0};
const unsigned char *const code_sheet_min_js = (const unsigned char[]){
#embed "../../web/code-sheet.min.js"
, 0};
const unsigned char *const sheet_min_js = (const unsigned char[]){
#embed "../../web/sheet.min.js"
, 0};
const unsigned char *const association_codes_txt = (const unsigned char[]){
#embed "../../web/association-codes.txt"
, 0};
const unsigned char *const site_association_txt = (const unsigned char[]){
#embed "../../web/site-association.txt"
, 0};
const unsigned char *const site_steps_txt = (const unsigned char[]){
#embed "../../web/site-steps.txt"
, 0};
const unsigned char *const report_html = (const unsigned char[]){
#embed "../../web/report.html"
, 0};
const unsigned char *const report_css = (const unsigned char[]){
#embed "../../web/report.css"
, 0};
const unsigned char *const report_min_js = (const unsigned char[]){
#embed "../../web/report.min.js"
, 0};
